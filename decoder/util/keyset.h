/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Keys of one fixed size as small numbers, in the order in which they first came.  Keys are
 * compared byte by byte, so a struct used as a key must have its padding zeroed.
 */
#ifndef DECODER_UTIL_KEYSET_H
#define DECODER_UTIL_KEYSET_H

#include <stddef.h>
#include <stdint.h>

#include "util/hash.h"

struct csg_keyset {
	uint8_t *keys; /* count keys, one after the other */
	size_t key_size;
	size_t count, capacity;
	struct csg_hash numbers;
};

void csg_keyset_init(struct csg_keyset *set, size_t key_size);
void csg_keyset_fini(struct csg_keyset *set);

/* The number of key, made when new: 0 or more, or -CSG_E_NO_MEMORY. */
int64_t csg_keyset_add(struct csg_keyset *set, const void *key);

/* Its number, or -1: it was not added. */
int64_t csg_keyset_find(const struct csg_keyset *set, const void *key);

/* The key with this number, below count.  Valid until the next _add(). */
static inline const void *csg_keyset_get(const struct csg_keyset *set, size_t number)
{
	return set->keys + number * set->key_size;
}

#endif
