/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls/exit_handlers.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "util/array.h"

#define ASKED 0x80 /* the class of a function is known */

/* xen/arch/arm/traps.c: what do_trap_guest_sync() calls for an exception's class, and
 * interrupts. */
static bool is_xen_handler(const char *name)
{
	static const char *const handlers[] = {
		"do_trap_hypercall",
		"do_trap_stage2_abort_guest",
		"do_trap_smc",
		"do_trap_brk",
		"do_trap_data_abort_guest",
		"do_trap_instr_abort_guest",
		"do_sysreg",
		"do_vpsci_0_1_call",
		"do_vpsci_0_2_call",
		"do_cp15_32",
		"do_cp15_64",
		"do_debug_trap",
		"do_trap_irq",
		"do_trap_fiq",
		"do_trap_guest_serror",
		"vcpu_block_unless_event_pending",
		"vcpu_yield",
	};

	for (size_t i = 0; i < sizeof(handlers) / sizeof(*handlers); i++)
		if (!strcmp(name, handlers[i]))
			return true;
	return false;
}

static bool is_handler(const char *name)
{
	/* arch/arm64/kvm/handle_exit.c: arm_exit_handlers[], as far as they have other names */
	static const char *const handlers[] = {
		"handle_hvc",	"handle_smc",	    "handle_svc",
		"handle_sve",	"handle_no_fpsimd", "handle_trap_exceptions",
		"handle_other",
	};
	/* called when a vCPU is entered, not for an exit */
	static const char *const others[] = {"kvm_handle_mmio_return", "kvm_handle_mmio"};

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (!strcmp(name, others[i]))
			return false;
	if (!strncmp(name, "kvm_handle_", 11))
		return true;
	for (size_t i = 0; i < sizeof(handlers) / sizeof(*handlers); i++)
		if (!strcmp(name, handlers[i]))
			return true;
	return false;
}

enum csg_exit_handler csg_exit_handler_class(const char *name)
{
	if (!name)
		return CSG_EXIT_ORDINARY;
	if (!strncmp(name, "kvm_hyp_handle_", 15) || !strcmp(name, "do_trap_guest_sync"))
		return CSG_EXIT_FAST_HANDLER;
	return is_handler(name) || is_xen_handler(name) ? CSG_EXIT_HANDLER : CSG_EXIT_ORDINARY;
}

int csg_exit_classes_of(struct csg_exit_classes *c, const struct csg_follower *follower,
			uint32_t label)
{
	if (csg_array_reach((void **)&c->classes, &c->count, label, sizeof(*c->classes)))
		return -CSG_E_NO_MEMORY;
	if (!c->classes[label])
		c->classes[label] = ASKED | csg_exit_handler_class(
						    csg_follower_function(follower, label)->name);
	return c->classes[label] & ~ASKED;
}

void csg_exit_classes_fini(struct csg_exit_classes *c)
{
	free(c->classes);
	*c = (struct csg_exit_classes){0};
}

bool csg_exit_handler_waits(const char *name)
{
	/* arch/arm64/kvm/handle_exit.c, WFI and WFE; xen/arch/arm/traps.c, WFI */
	return name && (!strcmp(name, "kvm_handle_wfx") ||
			!strcmp(name, "vcpu_block_unless_event_pending"));
}

bool csg_exit_handler_is_eret(const char *name)
{
	return name && !strcmp(name, "kvm_handle_eret");
}
