/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions by address, kept: programs call few places very often, and looking a symbol up takes
 * longer than everything else about a call.  An answer is good for an interval of time, as
 * mappings come and go.
 */
#ifndef DECODER_STACK_FUNCTION_CACHE_H
#define DECODER_STACK_FUNCTION_CACHE_H

#include "stack/frames.h"

/* As csg_stacks_client.function. */
typedef void csg_function_find(void *arg, const void *space, uint64_t address, uint64_t when,
			       struct csg_function *function, uint64_t *until);

struct csg_function_slot;

struct csg_function_cache {
	struct csg_function_slot *slots;
	csg_function_find *find;
	void *arg;
};

/* 0 or -CSG_E_NO_MEMORY; _fini is safe even then. */
int csg_function_cache_init(struct csg_function_cache *cache, csg_function_find *find, void *arg);
void csg_function_cache_fini(struct csg_function_cache *cache);

/* The function at an address; in nobody's space (NULL) there is none. */
void csg_function_cache_find(struct csg_function_cache *cache, const void *space, uint64_t address,
			     uint64_t when, struct csg_function *function);

#endif
