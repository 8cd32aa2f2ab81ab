/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The hash table below all others: entries are numbers, by which their owner finds what they stand
 * for in an array of its own; it also says whether an entry is the one that is looked for.
 *
 * Open addressing with linear probing.  A slot keeps its entry's hash, so that the table grows
 * without a look at the entries, and that few of them are compared.
 *
 * A cache whose newer answers replace older ones is an array indexed by csg_hash_of() instead:
 * nothing in it has to be found, so its memory is fixed, and a look-up is one comparison
 * (stack/function_cache.h, report/source_lines.h, text/disasm.h, script/sample_cache.h).
 */
#ifndef DECODER_UTIL_HASH_H
#define DECODER_UTIL_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct csg_hash_slot {
	uint32_t hash, entry; /* entry + 1; 0: free */
};

/* Zero-filled it is empty and ready for use. */
struct csg_hash {
	struct csg_hash_slot *slots; /* 1 << bits of them, or NULL */
	size_t count;
	unsigned int bits;
};

void csg_hash_fini(struct csg_hash *table);

/* Adds an entry below UINT32_MAX that is not there yet.  0 or -CSG_E_NO_MEMORY: then nothing has
 * changed. */
int csg_hash_add(struct csg_hash *table, uint32_t hash, uint32_t entry);

/* Removes all entries; the memory stays. */
void csg_hash_clear(struct csg_hash *table);

/* Whether the entry of an owner is what key stands for. */
typedef bool csg_hash_equal(const void *owner, uint32_t entry, const void *key);

/* The entry with this hash that equals key, or -1. */
static inline int64_t csg_hash_find(const struct csg_hash *table, uint32_t hash,
				    csg_hash_equal *equal, const void *owner, const void *key)
{
	const size_t mask = ((size_t)1 << table->bits) - 1;

	if (!table->slots)
		return -1;
	for (size_t i = hash >> (32 - table->bits);; i = (i + 1) & mask) {
		const struct csg_hash_slot *slot = &table->slots[i];

		if (!slot->entry)
			return -1;
		if (slot->hash == hash && equal(owner, slot->entry - 1, key))
			return slot->entry - 1;
	}
}

/* A hash over one value more. */
static inline uint64_t csg_hash_mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 32;
}

/* What the table takes of such a hash. */
static inline uint32_t csg_hash_of(uint64_t hash)
{
	return (uint32_t)(hash >> 32);
}

/* A hash over n bytes more. */
uint64_t csg_hash_bytes(uint64_t hash, const void *bytes, size_t n);

#endif
