/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/owner_table.h"

#include <stdlib.h>

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

/* --- in files --- */

/* Numbers that are negative are short, too. */
static void pack_signed(struct csg_pack *p, int32_t value)
{
	csg_pack_difference(p, (uint64_t)(int64_t)value, 0);
}

static void pack_owner(struct csg_pack *p, const struct csg_owner *o)
{
	csg_pack_short(p, o->world);
	csg_pack_short(p, o->privilege);
	csg_pack_short(p, o->reason);
	csg_pack_short(p, o->el);
	csg_pack_short(p, o->evidence);
	csg_pack_short(p, o->level);
	pack_signed(p, o->vm);
	pack_signed(p, o->vcpu);
	pack_signed(p, o->pid);
	pack_signed(p, o->tid);
	pack_signed(p, o->host_tid);
	pack_signed(p, o->host_process);
	pack_signed(p, o->nested);
	pack_signed(p, o->guest_tid);
}

void csg_owner_table_pack(const struct csg_owner_table *table, struct csg_pack *pack)
{
	csg_pack_number(pack, table->count);
	for (size_t i = 0; i < table->count; i++)
		pack_owner(pack, &table->owners[i]);
}

static int32_t unpack_signed(struct csg_unpack *u)
{
	return (int32_t)(int64_t)csg_unpack_difference(u, 0);
}

/* One of n values; it fails, if there are more. */
static uint8_t unpack_one_of(struct csg_unpack *u, uint64_t n)
{
	const uint64_t value = csg_unpack_short(u);

	u->failed |= value >= n;
	return (uint8_t)value;
}

bool csg_owner_unpack(struct csg_unpack *u, struct csg_owner *o)
{
	*o = CSG_OWNER_UNKNOWN;
	o->world = unpack_one_of(u, CSG_WORLD_COUNT);
	o->privilege = unpack_one_of(u, CSG_USER + 1);
	o->reason = unpack_one_of(u, CSG_REASON_COUNT);
	o->el = unpack_one_of(u, UINT8_MAX);
	o->evidence = (uint32_t)csg_unpack_short(u);
	o->level = unpack_one_of(u, UINT8_MAX + 1);
	o->vm = unpack_signed(u);
	o->vcpu = unpack_signed(u);
	o->pid = unpack_signed(u);
	o->tid = unpack_signed(u);
	o->host_tid = unpack_signed(u);
	o->host_process = unpack_signed(u);
	o->nested = unpack_signed(u);
	o->guest_tid = unpack_signed(u);
	return !u->failed;
}
