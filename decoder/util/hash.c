/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/hash.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"

#define FIRST_BITS 6
#define MAX_BITS 31

void csg_hash_fini(struct csg_hash *table)
{
	free(table->slots);
	*table = (struct csg_hash){0};
}

static void insert(struct csg_hash *table, struct csg_hash_slot slot)
{
	const size_t mask = ((size_t)1 << table->bits) - 1;
	size_t i = slot.hash >> (32 - table->bits);

	while (table->slots[i].entry)
		i = (i + 1) & mask;
	table->slots[i] = slot;
}

static int grow(struct csg_hash *table)
{
	struct csg_hash larger = {.count = table->count,
				  .bits = table->slots ? table->bits + 1 : FIRST_BITS};
	const size_t n = table->slots ? (size_t)1 << table->bits : 0;

	if (larger.bits > MAX_BITS)
		return -CSG_E_NO_MEMORY;
	larger.slots = calloc((size_t)1 << larger.bits, sizeof(*larger.slots));
	if (!larger.slots)
		return -CSG_E_NO_MEMORY;
	for (size_t i = 0; i < n; i++)
		if (table->slots[i].entry)
			insert(&larger, table->slots[i]);
	free(table->slots);
	*table = larger;
	return 0;
}

int csg_hash_add(struct csg_hash *table, uint32_t hash, uint32_t entry)
{
	const bool full = !table->slots || table->count >= ((size_t)3 << table->bits) / 4;

	if (full && grow(table))
		return -CSG_E_NO_MEMORY;
	insert(table, (struct csg_hash_slot){.hash = hash, .entry = entry + 1});
	table->count++;
	return 0;
}

void csg_hash_clear(struct csg_hash *table)
{
	if (table->count)
		memset(table->slots, 0, sizeof(*table->slots) << table->bits);
	table->count = 0;
}

uint64_t csg_hash_bytes(uint64_t hash, const void *bytes, size_t n)
{
	const uint8_t *at = bytes;
	uint64_t word;

	hash = csg_hash_mix(hash, n);
	for (; n >= sizeof(word); n -= sizeof(word), at += sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		hash = csg_hash_mix(hash, word);
	}
	word = 0;
	memcpy(&word, at, n);
	return csg_hash_mix(hash, word);
}
