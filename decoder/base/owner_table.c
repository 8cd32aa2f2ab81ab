/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/owner_table.h"

#include <stdlib.h>

#include "csguest/error.h"
#include "util/array.h"

#define FIRST_SLOTS 64u

bool csg_owner_equal(const struct csg_owner *a, const struct csg_owner *b)
{
	return a->world == b->world && a->privilege == b->privilege && a->reason == b->reason &&
	       a->el == b->el && a->evidence == b->evidence && a->vm == b->vm &&
	       a->vcpu == b->vcpu && a->pid == b->pid && a->tid == b->tid &&
	       a->host_tid == b->host_tid && a->host_process == b->host_process &&
	       a->level == b->level && a->nested == b->nested && a->guest_tid == b->guest_tid;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
	return hash ^ (hash >> 29);
}

static uint64_t hash_owner(const struct csg_owner *o)
{
	uint64_t hash = mix(o->evidence, (uint64_t)o->world | (uint64_t)o->privilege << 8 |
						 (uint64_t)o->reason << 16 | (uint64_t)o->el << 24);

	hash = mix(hash, (uint64_t)(uint32_t)o->vm << 32 | (uint32_t)o->vcpu);
	hash = mix(hash, (uint64_t)(uint32_t)o->pid << 32 | (uint32_t)o->tid);
	hash = mix(hash, (uint64_t)(uint32_t)o->host_process << 32 | (uint32_t)o->host_tid);
	if (o->level == CSG_LEVEL_UNKNOWN)
		return hash;
	return mix(hash + o->level, (uint64_t)(uint32_t)o->nested << 32 | (uint32_t)o->guest_tid);
}

/* The slot that holds owner, or the free one where it belongs. */
static uint32_t *find_slot(const struct csg_owner_table *table, const struct csg_owner *owner)
{
	size_t mask = table->slot_count - 1;

	for (size_t i = hash_owner(owner) & mask;; i = (i + 1) & mask) {
		uint32_t slot = table->slots[i];

		if (!slot || csg_owner_equal(&table->owners[slot - 1], owner))
			return &table->slots[i];
	}
}

static int grow(struct csg_owner_table *table, size_t slots)
{
	size_t capacity = table->capacity;
	uint32_t *fresh;

	if (csg_array_reserve((void **)&table->owners, &capacity, slots / 2,
			      sizeof(*table->owners)))
		return -CSG_E_NO_MEMORY;
	fresh = calloc(slots, sizeof(*fresh));
	if (!fresh)
		return -CSG_E_NO_MEMORY;
	table->capacity = slots / 2;
	free(table->slots);
	table->slots = fresh;
	table->slot_count = slots;
	for (size_t i = 0; i < table->count; i++)
		*find_slot(table, &table->owners[i]) = (uint32_t)i + 1;
	return 0;
}

int csg_owner_table_init(struct csg_owner_table *table)
{
	int64_t unknown;

	*table = (struct csg_owner_table){0};
	unknown = csg_owner_table_number(table, &CSG_OWNER_UNKNOWN);
	return unknown < 0 ? (int)unknown : 0;
}

void csg_owner_table_fini(struct csg_owner_table *table)
{
	free(table->owners);
	free(table->slots);
	*table = (struct csg_owner_table){0};
}

int64_t csg_owner_table_number(struct csg_owner_table *table, const struct csg_owner *owner)
{
	uint32_t *slot;

	if (table->count == table->capacity) {
		int err = grow(table, table->slot_count ? table->slot_count * 2 : FIRST_SLOTS);

		if (err)
			return err;
	}
	slot = find_slot(table, owner);
	if (!*slot) {
		table->owners[table->count++] = *owner;
		*slot = (uint32_t)table->count;
	}
	return *slot - 1;
}

const struct csg_owner *csg_owner_table_get(const struct csg_owner_table *table, uint32_t number)
{
	return &table->owners[number < table->count ? number : 0];
}
