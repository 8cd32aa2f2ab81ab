/* SPDX-License-Identifier: BSD-3-Clause */
#include "view/code_counts.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "flow/executions.h"

#define FIRST_BITS 10
#define SPREAD 0x9e3779b1u    /* between the slots of a code at one place and the next */
#define MOST_ADDED (1u << 30) /* what a slot can count */

static void free_slots(struct csg_code_counts *c)
{
	free(c->slots);
	free(c->ranges);
	free(c->used);
	c->slots = NULL;
	c->ranges = NULL;
	c->used = NULL;
}

static int make_slots(struct csg_code_counts *c, unsigned int bits)
{
	size_t n = (size_t)1 << bits;

	c->bits = bits;
	c->slots = malloc(n * sizeof(*c->slots));
	c->ranges = malloc(n * sizeof(*c->ranges));
	c->used = malloc(n * sizeof(*c->used));
	if (!c->slots || !c->ranges || !c->used)
		return -CSG_E_NO_MEMORY;
	for (size_t i = 0; i < n; i++)
		c->slots[i] = (struct csg_code_count){.tag = CSG_CODE_FREE};
	return 0;
}

int csg_code_counts_init(struct csg_code_counts *c, struct csg_tally *tally, unsigned int max_bits)
{
	*c = (struct csg_code_counts){.tally = tally, .max_bits = max_bits, .last = UINT64_MAX};
	return make_slots(c, max_bits < FIRST_BITS ? max_bits : FIRST_BITS);
}

void csg_code_counts_fini(struct csg_code_counts *c)
{
	free_slots(c);
}

static inline size_t slot_of(const struct csg_code_counts *c, uint32_t code, uint32_t place)
{
	return (code + place * SPREAD) & (((size_t)1 << c->bits) - 1);
}

/* Gives what a slot counts to the tally; it stands for the same entry as before. */
static int give(struct csg_code_counts *c, size_t i)
{
	struct csg_code_count *slot = &c->slots[i];
	const struct csg_element *e = &c->ranges[i];
	uint64_t n = slot->executions, taken = slot->taken;

	if (!n)
		return 0;
	slot->executions = slot->taken = 0;
	c->ranges_given += n;
	c->instructions += n * e->instructions;
	c->branches += csg_tally_is_branch(e->branch) ? taken : 0;
	return csg_tally_add_many(c->tally, e, (uint32_t)(slot->tag >> 32), c->first, n, taken,
				  NULL);
}

int csg_code_counts_flush(struct csg_code_counts *c)
{
	int err = 0;

	for (size_t i = 0; i < c->used_count; i++) {
		int ret = give(c, c->used[i]);

		c->slots[c->used[i]].tag = CSG_CODE_FREE;
		err = err ? err : ret;
	}
	c->used_count = 0;
	c->added = 0;
	c->first = 0;
	c->last = UINT64_MAX;
	return err;
}

int csg_code_counts_begin(struct csg_code_counts *c, const void *codes, uint64_t time, size_t n)
{
	int err = 0;

	if (c->codes != codes || time < c->first || time > c->last || c->added > MOST_ADDED)
		err = csg_code_counts_flush(c);
	c->codes = codes;
	c->added += n;
	return err;
}

/* What a slot of the smaller table counts moves to its place in this one, where nobody was before. */
static int move(struct csg_code_counts *c, const struct csg_code_counts *old, uint32_t from)
{
	const struct csg_code_count *slot = &old->slots[from];
	size_t i = slot_of(c, (uint32_t)slot->tag, (uint32_t)(slot->tag >> 32));
	int err = 0;

	if (c->slots[i].tag == CSG_CODE_FREE)
		c->used[c->used_count++] = (uint32_t)i;
	else
		err = give(c, i);
	c->slots[i] = *slot;
	c->ranges[i] = old->ranges[from];
	return err;
}

/* Four times as many slots; without memory the same number. */
static int grow(struct csg_code_counts *c)
{
	struct csg_code_counts old = *c;
	unsigned int bits = c->bits + 2 < c->max_bits ? c->bits + 2 : c->max_bits;
	int err = 0;

	c->evictions = 0;
	if (make_slots(c, bits)) {
		free_slots(c);
		c->slots = old.slots;
		c->ranges = old.ranges;
		c->used = old.used;
		c->bits = c->max_bits = old.bits;
		return 0;
	}
	c->used_count = 0;
	for (size_t i = 0; i < old.used_count; i++) {
		int ret = move(c, &old, old.used[i]);

		err = err ? err : ret;
	}
	free_slots(&old);
	return err;
}

/* The range's slot is its own from now on. */
static int take_slot(struct csg_code_counts *c, const struct csg_element *e, uint32_t place)
{
	size_t i = slot_of(c, e->code, place);
	int err = 0;

	if (c->slots[i].tag != CSG_CODE_FREE) {
		err = give(c, i);
		c->evictions++;
	} else {
		c->used[c->used_count++] = (uint32_t)i;
	}
	c->slots[i].tag = (uint64_t)place << 32 | e->code;
	c->ranges[i] = *e;
	return err;
}

/* Counts a range that has no slot yet. */
static __attribute__((noinline)) int start(struct csg_code_counts *c, const struct csg_element *e,
					   uint32_t place, uint64_t time)
{
	uint64_t last;
	int err = 0;

	if (c->evictions > ((size_t)1 << c->bits) / 8 && c->bits < c->max_bits)
		err = grow(c);
	if (!err)
		err = csg_tally_add_many(c->tally, e, place, time, 1, e->taken, &last);
	if (err)
		return err;
	c->ranges_given++;
	c->instructions += e->instructions;
	c->branches += e->taken & csg_tally_is_branch(e->branch);
	err = take_slot(c, e, place);
	c->first = time;
	c->last = last < c->last ? last : c->last;
	return err;
}

const struct csg_element *csg_code_counts_add(struct csg_code_counts *c,
					      const struct csg_element *e,
					      const struct csg_element *end, uint32_t place,
					      uint64_t time, int *err)
{
	const uint64_t high = (uint64_t)place << 32;
	const uint32_t owner = e->owner, offset = place * SPREAD;

	for (; !*err && e < end; e++) {
		size_t mask = ((size_t)1 << c->bits) - 1;
		struct csg_code_count *slots = c->slots;

		for (; e < end && e->kind == CSG_ELEMENT_RANGE && e->owner == owner; e++) {
			struct csg_code_count *slot = &slots[(e->code + offset) & mask];

			if (slot->tag != (high | e->code))
				break;
			slot->executions++;
			slot->taken += e->taken;
		}
		if (e == end || e->kind != CSG_ELEMENT_RANGE || e->owner != owner || !e->code)
			break;
		*err = start(c, e, place, time);
	}
	return e;
}

int csg_code_counts_add_executions(struct csg_code_counts *c, const struct csg_element *ranges,
				   const uintptr_t *executions, uint32_t place, uint64_t time)
{
	const uint64_t high = (uint64_t)place << 32;
	const uint32_t offset = place * SPREAD;
	const uintptr_t *x = executions + ranges->start, *end = x + ranges->instructions;
	int err = 0;

	c->added += ranges->instructions;
	for (; !err && x < end; x++) {
		size_t mask = ((size_t)1 << c->bits) - 1;
		struct csg_code_count *slots = c->slots;
		struct csg_element range;

		for (; x < end; x++) {
			uint32_t code = csg_execution_block(*x)->number;
			struct csg_code_count *slot = &slots[(code + offset) & mask];

			if (slot->tag != (high | code))
				break;
			slot->executions++;
			slot->taken += csg_execution_taken(*x);
		}
		if (x == end)
			break;
		range = csg_execution_range(*x, ranges);
		err = start(c, &range, place, time);
	}
	return err;
}
