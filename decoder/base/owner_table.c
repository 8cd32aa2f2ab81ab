/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/owner_table.h"

#include <stdlib.h>

#include "csguest/error.h"
#include "util/array.h"

bool csg_owner_equal(const struct csg_owner *a, const struct csg_owner *b)
{
	return a && b && a->world == b->world && a->privilege == b->privilege &&
	       a->reason == b->reason && a->el == b->el && a->evidence == b->evidence &&
	       a->vm == b->vm && a->vcpu == b->vcpu && a->pid == b->pid && a->tid == b->tid &&
	       a->host_tid == b->host_tid && a->host_process == b->host_process &&
	       a->level == b->level && a->nested == b->nested && a->guest_tid == b->guest_tid;
}

static uint32_t hash_of(const struct csg_owner *o)
{
	uint64_t hash = csg_hash_mix(o->evidence, (uint64_t)o->world | (uint64_t)o->privilege << 8 |
							  (uint64_t)o->reason << 16 |
							  (uint64_t)o->el << 24);

	hash = csg_hash_mix(hash, (uint64_t)(uint32_t)o->vm << 32 | (uint32_t)o->vcpu);
	hash = csg_hash_mix(hash, (uint64_t)(uint32_t)o->pid << 32 | (uint32_t)o->tid);
	hash = csg_hash_mix(hash,
			    (uint64_t)(uint32_t)o->host_process << 32 | (uint32_t)o->host_tid);
	if (o->level != CSG_LEVEL_UNKNOWN)
		hash = csg_hash_mix(hash + o->level,
				    (uint64_t)(uint32_t)o->nested << 32 | (uint32_t)o->guest_tid);
	return csg_hash_of(hash);
}

static bool equal(const void *table, uint32_t number, const void *owner)
{
	return csg_owner_equal(&((const struct csg_owner_table *)table)->owners[number], owner);
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
	csg_hash_fini(&table->numbers);
	*table = (struct csg_owner_table){0};
}

int64_t csg_owner_table_number(struct csg_owner_table *table, const struct csg_owner *owner)
{
	const uint32_t hash = hash_of(owner);
	const int64_t number = csg_hash_find(&table->numbers, hash, equal, table, owner);
	int err;

	if (number >= 0)
		return number;
	err = csg_array_grow((void **)&table->owners, table->count, &table->capacity,
			     sizeof(*table->owners));
	if (!err)
		err = csg_hash_add(&table->numbers, hash, (uint32_t)table->count);
	if (err)
		return err;
	table->owners[table->count] = *owner;
	return (int64_t)table->count++;
}

const struct csg_owner *csg_owner_table_get(const struct csg_owner_table *table, uint32_t number)
{
	return &table->owners[number < table->count ? number : 0];
}
