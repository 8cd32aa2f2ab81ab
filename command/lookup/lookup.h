/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a view learns what the numbers of elements mean: owners, address spaces, symbols,
 * names of threads.  A session answers (csg_lookup_session()); a unit test answers
 * from a table.
 *
 * Spaces are opaque here: two owners whose code at an address is the same get the same pointer.
 * NULL is nobody's space; nothing is found in it.
 */
#ifndef COMMAND_LOOKUP_LOOKUP_H
#define COMMAND_LOOKUP_LOOKUP_H

#include <stddef.h>
#include <stdint.h>

#include "csguest/machine.h"
#include "csguest/owner.h"
#include "csguest/symbol.h"
#include "text/anonym.h"

struct csg_lookup {
	void *arg; /* first argument of all functions */

	/* The owner with this number; never NULL. */
	const struct csg_owner *(*owner)(void *arg, uint32_t owner);

	/* Where this owner's code lies, or NULL. */
	struct csg_space *(*space)(void *arg, uint32_t owner);

	/* What covers addr at time (ns; UINT64_MAX: latest); everything NULL and 0 where nothing
	 * does.  Strings live as long as the lookup. */
	void (*symbol)(void *arg, struct csg_space *space, uint64_t addr, uint64_t time,
		       struct csg_symbol *symbol);

	/* Code at addr: 0 and *len 0 where there is none; *until: from when on it may differ. */
	void (*code)(void *arg, struct csg_space *space, uint64_t addr, uint64_t time,
		     const uint8_t **bytes, size_t *len, uint64_t *until);

	/* As csg_symbol_line().  May be NULL itself: no lines are known. */
	void (*line)(void *arg, struct csg_space *space, uint64_t addr, uint64_t time,
		     const char **file, int *line);

	/* Name of the owner's thread at time, or NULL. */
	const char *(*comm)(void *arg, uint32_t owner, uint64_t time);

	/* The VM that the owner's time is spent for, as csg_session_vm_of() says. */
	int32_t (*vm_of)(void *arg, uint32_t owner);

	/* Name of the guest in this VM, or NULL.  May be NULL itself. */
	const char *(*guest)(void *arg, int32_t vm);

	/* As csg_interval_at(), of the CPU of this stream.  May be NULL itself: not known. */
	int (*interval)(void *arg, uint32_t stream, size_t index, struct csg_interval *interval,
			size_t size);

	/* Name of the owner's process, that of its first thread, at time, or NULL. */
	const char *(*process)(void *arg, uint32_t owner, uint64_t time);

	/* From when on (UINT64_MAX: never) comm() or process() may say something else than at
	 * time. */
	uint64_t (*named_until)(void *arg, uint32_t owner, uint64_t time);

	/*
	 * Where names are tokens, what makes them, and symbol() with real names, for who goes by
	 * them and shows none.  NULL: all names are real.
	 */
	struct csg_anonym *anonym;
	void (*real_symbol)(void *arg, struct csg_space *space, uint64_t addr, uint64_t time,
			    struct csg_symbol *symbol);
};

/* Name of the guest in this VM, or NULL. */
static inline const char *csg_lookup_guest(const struct csg_lookup *l, int32_t vm)
{
	return l->guest ? l->guest(l->arg, vm) : NULL;
}

#endif
