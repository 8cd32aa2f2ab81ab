/* SPDX-License-Identifier: BSD-3-Clause */
/* Whom the stacks (stack/stack.h) ask for owners and functions, and tell what happens. */
#ifndef DECODER_STACK_CLIENT_H
#define DECODER_STACK_CLIENT_H

#include <stdint.h>

#include "csguest/element.h"
#include "csguest/owner.h"
#include "csguest/stack.h"
#include "stack/frames.h"

struct csg_stacks_client {
	void *arg;
	/* The owner with this number. */
	const struct csg_owner *(*owner)(void *arg, uint32_t owner);
	/* Whose code an owner runs: the same pointer for the same code, and of an owner always the
	 * same. */
	const void *(*space)(void *arg, uint32_t owner);
	/* The function at an address of a space; start..end holds at least address.  *until, from
	 * when on it may be another (ns). */
	void (*function)(void *arg, const void *space, uint64_t address, uint64_t when,
			 struct csg_function *function, uint64_t *until);
	/* The host's thread tid, which runs nowhere else, comes to a stream.  The stream that has
	 * to be fed before; UINT32_MAX: none. */
	uint32_t (*await)(void *arg, uint32_t stream, int32_t tid);
	/* What happens, as csg_follower_options has it; each may be NULL. */
	void *to; /* first argument of these */
	void (*entered)(void *arg, struct csg_stack *frames, enum csg_move why);
	void (*leaving)(void *arg, struct csg_stack *frames, enum csg_move why);
	void (*switched)(void *arg, const struct csg_stack_switch *what);
	void (*ran)(void *arg, uint32_t stream, struct csg_stack *frames, uint64_t n);
	void (*mark)(void *arg, uint32_t stream, const struct csg_element *element);
	void (*used)(void *arg, uint32_t stream, const struct csg_element *element);
};

#endif
