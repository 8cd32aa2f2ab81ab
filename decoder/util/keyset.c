/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/keyset.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "util/array.h"

#define FIRST_BITS 6

void csg_keyset_init(struct csg_keyset *set, size_t key_size)
{
	memset(set, 0, sizeof(*set));
	set->key_size = key_size;
}

void csg_keyset_fini(struct csg_keyset *set)
{
	free(set->keys);
	free(set->slots);
	csg_keyset_init(set, set->key_size);
}

/* FNV-1a, eight bytes at a time. */
static uint64_t hash(const uint8_t *key, size_t n)
{
	uint64_t h = 0xcbf29ce484222325u, word;

	for (; n >= 8; n -= 8, key += 8) {
		memcpy(&word, key, 8);
		h = (h ^ word) * 0x100000001b3u;
		h ^= h >> 32;
	}
	for (; n; n--)
		h = (h ^ *key++) * 0x100000001b3u;
	return h * 0x9e3779b97f4a7c15u;
}

static uint32_t *find(const struct csg_keyset *set, const void *key)
{
	size_t mask = ((size_t)1 << set->bits) - 1;
	size_t i = (size_t)(hash(key, set->key_size) >> (64 - set->bits));

	for (;; i = (i + 1) & mask) {
		uint32_t *slot = &set->slots[i];

		if (!*slot || !memcmp(csg_keyset_get(set, *slot - 1), key, set->key_size))
			return slot;
	}
}

/* Doubles the hash and the room for keys. */
static int grow(struct csg_keyset *set)
{
	unsigned int bits = set->bits ? set->bits + 1 : FIRST_BITS;
	size_t capacity = ((size_t)1 << bits) / 4 * 3;
	size_t room = set->capacity;
	uint32_t *slots;

	if (bits > 31 || csg_array_reserve((void **)&set->keys, &room, capacity, set->key_size))
		return -CSG_E_NO_MEMORY;
	slots = calloc((size_t)1 << bits, sizeof(*slots));
	if (!slots)
		return -CSG_E_NO_MEMORY;
	free(set->slots);
	set->slots = slots;
	set->bits = bits;
	set->capacity = capacity;
	for (size_t i = 0; i < set->count; i++)
		*find(set, csg_keyset_get(set, i)) = (uint32_t)i + 1;
	return 0;
}

int64_t csg_keyset_find(const struct csg_keyset *set, const void *key)
{
	return set->slots ? (int64_t)*find(set, key) - 1 : -1;
}

int64_t csg_keyset_add(struct csg_keyset *set, const void *key)
{
	uint32_t *slot = set->slots ? find(set, key) : NULL;
	int err;

	if (slot && *slot)
		return *slot - 1;
	if (set->count == set->capacity) {
		err = grow(set);
		if (err)
			return err;
		slot = find(set, key);
	}
	memcpy(set->keys + set->count * set->key_size, key, set->key_size);
	*slot = (uint32_t)++set->count;
	return *slot - 1;
}
