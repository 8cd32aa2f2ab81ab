/* SPDX-License-Identifier: BSD-3-Clause */
#include "stack/function_cache.h"

#include <stdlib.h>

#include "csguest/error.h"
#include "util/hash.h"

#define BITS 13

struct csg_function_slot {
	const void *space; /* NULL: free */
	uint64_t address;
	uint64_t from, until; /* good in this interval */
	struct csg_function function;
};

int csg_function_cache_init(struct csg_function_cache *cache, csg_function_find *find, void *arg)
{
	cache->find = find;
	cache->arg = arg;
	cache->slots = calloc((size_t)1 << BITS, sizeof(*cache->slots));
	return cache->slots ? 0 : -CSG_E_NO_MEMORY;
}

void csg_function_cache_fini(struct csg_function_cache *cache)
{
	free(cache->slots);
	cache->slots = NULL;
}

void csg_function_cache_find(struct csg_function_cache *cache, const void *space, uint64_t address,
			     uint64_t when, struct csg_function *function)
{
	uint32_t hash = csg_hash_of(csg_hash_mix(address >> 2, (uintptr_t)space));
	struct csg_function_slot *slot = &cache->slots[hash >> (32 - BITS)];

	if (!space) {
		*function = (struct csg_function){.start = address, .end = address + 4};
		return;
	}
	if (slot->space != space || slot->address != address || when < slot->from ||
	    (when >= slot->until && slot->until != UINT64_MAX)) {
		slot->space = space;
		slot->address = address;
		slot->from = when;
		slot->until = UINT64_MAX;
		slot->function = (struct csg_function){0};
		cache->find(cache->arg, space, address, when, &slot->function, &slot->until);
		if (slot->function.start > address || slot->function.end <= address) {
			slot->function.start = address;
			slot->function.end = address + 4;
		}
	}
	*function = slot->function;
}
