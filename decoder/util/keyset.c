/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/keyset.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"

void csg_keyset_init(struct csg_keyset *set, size_t key_size)
{
	memset(set, 0, sizeof(*set));
	set->key_size = key_size;
}

void csg_keyset_fini(struct csg_keyset *set)
{
	free(set->keys);
	csg_hash_fini(&set->numbers);
	csg_keyset_init(set, set->key_size);
}

static bool equal(const void *owner, uint32_t number, const void *key)
{
	const struct csg_keyset *set = owner;

	return !memcmp(csg_keyset_get(set, number), key, set->key_size);
}

static uint32_t hash_of(const struct csg_keyset *set, const void *key)
{
	return csg_hash_of(csg_hash_bytes(0, key, set->key_size));
}

int64_t csg_keyset_find(const struct csg_keyset *set, const void *key)
{
	return csg_hash_find(&set->numbers, hash_of(set, key), equal, set, key);
}

int64_t csg_keyset_add(struct csg_keyset *set, const void *key)
{
	const uint32_t hash = hash_of(set, key);
	int64_t number = csg_hash_find(&set->numbers, hash, equal, set, key);
	int err;

	if (number >= 0)
		return number;
	err = csg_array_grow((void **)&set->keys, set->count, &set->capacity, set->key_size);
	if (!err)
		err = csg_hash_add(&set->numbers, hash, (uint32_t)set->count);
	if (err)
		return err;
	memcpy(set->keys + set->count * set->key_size, key, set->key_size);
	return (int64_t)set->count++;
}
