/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which functions of KVM and Xen handle an exit of a guest, by their names: of arm_exit_handlers
 * and the fast path (arch/arm64/kvm/handle_exit.c, hyp/switch.h), and those that
 * do_trap_guest_sync() calls (xen/arch/arm/traps.c).
 */
#ifndef COMMAND_CALLS_EXIT_HANDLERS_H
#define COMMAND_CALLS_EXIT_HANDLERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/stack.h"

enum csg_exit_handler {
	CSG_EXIT_ORDINARY,
	CSG_EXIT_HANDLER,
	CSG_EXIT_FAST_HANDLER, /* called first; the exit may go on to a handler all the same */
};

/* What the function of that name is; NULL: ORDINARY. */
enum csg_exit_handler csg_exit_handler_class(const char *name);

/* What a follower's functions are, by label; all zero is an empty list. */
struct csg_exit_classes {
	uint8_t *classes; /* 0: not known yet */
	size_t count;
};

/* enum csg_exit_handler, or -CSG_E_NO_MEMORY. */
int csg_exit_classes_of(struct csg_exit_classes *classes, const struct csg_follower *follower,
			uint32_t label);
void csg_exit_classes_fini(struct csg_exit_classes *classes);

/* Whether it is what a guest's WFI or WFE leads to.  NULL: no. */
bool csg_exit_handler_waits(const char *name);

/* Whether it handles a guest's ERET that traps.  NULL: no. */
bool csg_exit_handler_is_eret(const char *name);

#endif
