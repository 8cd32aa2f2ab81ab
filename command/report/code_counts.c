/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/code_counts.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "csguest/error.h"
#include "csguest/code.h"

#define MOST_ADDED (1u << 30) /* what a count can hold */
#define TIME_ERROR 5000	      /* ns, by which times of batches may go back: csg_batch.time */

void csg_code_counts_init(struct csg_code_counts *c, struct csg_tally *tally, size_t max_chunks)
{
	*c = (struct csg_code_counts){.tally = tally, .last = UINT64_MAX, .interval = 1};
	csg_code_chunks_init(&c->chunks, max_chunks);
}

void csg_code_counts_fini(struct csg_code_counts *c)
{
	for (size_t i = 0; i < c->ranges_n; i++)
		free(c->ranges[i]);
	free(c->ranges);
	c->ranges = NULL;
	c->ranges_n = 0;
	csg_code_chunks_fini(&c->chunks);
}

/* --- what was counted --- */

/* Where what a code has counted at a place goes: fold() or the tally. */
typedef int take_fn(struct csg_code_counts *c, const struct csg_code_range *range, uint32_t place,
		    const struct csg_code_count *count);

static struct csg_element element_of(const struct csg_code_range *range)
{
	return (struct csg_element){.kind = CSG_ELEMENT_RANGE,
				    .start = range->start,
				    .end = range->end,
				    .instructions = range->instructions,
				    .isa = range->isa,
				    .branch = range->branch};
}

static int tell_tally(struct csg_code_counts *c, const struct csg_code_range *range, uint32_t place,
		      const struct csg_code_count *count)
{
	const struct csg_element e = element_of(range);

	return csg_tally_add_many(c->tally, &e, place, c->first, count->executions, count->taken);
}

static int fold(struct csg_code_counts *c, const struct csg_code_range *range, uint32_t place,
		const struct csg_code_count *count)
{
	const struct csg_element e = element_of(range);
	struct csg_tally_range all = csg_tally_range_of(&e, place, c->first);

	csg_tally_count(&all, &e, count->executions, count->taken);
	return c->tally->client.fold(c->tally->client.arg, &all);
}

/* One code of the used chunks from use up to end, which are the same of several places. */
static int take_code(struct csg_code_counts *c, size_t use, size_t end, unsigned int code,
		     take_fn *take)
{
	const struct csg_code_ranges *ranges = c->ranges[c->chunks.used[use].chunk];
	const struct csg_code_range *range = &ranges->ranges[code];
	int err = 0;

	for (; use < end; use++) {
		const struct csg_code_use *used = &c->chunks.used[use];
		const struct csg_code_count *count =
			&csg_code_chunks_of(&c->chunks, used)->counts[code];
		int ret;

		if (!count->executions)
			continue;
		c->ranges_given += count->executions;
		c->instructions += (uint64_t)count->executions * range->instructions;
		c->branches += csg_tally_is_branch(range->branch) ? count->taken : 0;
		ret = take(c, range, used->place, count);
		err = err ? err : ret;
	}
	return err;
}

/* Everything, one code after the other; a new interval begins, and maybe a window around code. */
static int empty(struct csg_code_counts *c, uint32_t code, take_fn *take)
{
	const struct csg_code_chunks *chunks = &c->chunks;
	int err = 0;

	if (c->failed)
		return -CSG_E_NO_MEMORY;
	csg_code_chunks_sort(&c->chunks);
	for (size_t i = 0, end; i < chunks->used_count; i = end) {
		for (end = i + 1;
		     end < chunks->used_count && chunks->used[end].chunk == chunks->used[i].chunk;)
			end++;
		for (unsigned int k = 0; k < CSG_CHUNK_CODES; k++) {
			int ret = take_code(c, i, end, k, take);

			err = err ? err : ret;
		}
	}
	csg_code_chunks_empty(&c->chunks, code);
	c->interval++;
	c->added = 0;
	c->first = 0;
	c->last = UINT64_MAX;
	return err;
}

int csg_code_counts_fold(struct csg_code_counts *c)
{
	return empty(c, c->chunks.base + CSG_CHUNK_WINDOW / 2, fold);
}

int csg_code_counts_begin(struct csg_code_counts *c, const void *codes, uint64_t time, size_t n)
{
	int err = 0;

	if (c->codes != codes)
		err = empty(c, 0, tell_tally);
	else if (time < c->first || time > c->last || c->added > MOST_ADDED)
		err = empty(c, c->chunks.base + CSG_CHUNK_WINDOW / 2, tell_tally);
	c->codes = codes;
	c->added += n;
	return err;
}

/* --- code that is new at its place --- */

static struct csg_code_ranges *ranges_at(struct csg_code_counts *c, size_t chunk)
{
	if (csg_array_reach((void **)&c->ranges, &c->ranges_n, chunk, sizeof(*c->ranges)))
		return NULL;
	if (!c->ranges[chunk])
		c->ranges[chunk] = calloc(1, sizeof(*c->ranges[chunk]));
	return c->ranges[chunk];
}

/*
 * The interval ends where something else may lie at the range, and begins a little before its time,
 * if the same lay there then.
 */
static void narrow(struct csg_code_counts *c, const struct csg_element *e, uint32_t place,
		   uint64_t time)
{
	struct csg_tally_range range =
		csg_tally_range_of(e, place, time > TIME_ERROR ? time - TIME_ERROR : 0);
	uint64_t last = csg_tally_last(c->tally, &range);

	if (last < time) {
		range.time = time;
		last = csg_tally_last(c->tally, &range);
	}
	c->first = range.time > c->first ? range.time : c->first;
	c->last = last < c->last ? last : c->last;
}

/* What the code is, unless that is known. */
static int know(struct csg_code_counts *c, const struct csg_element *e, uint32_t place,
		uint64_t time)
{
	const uint32_t code = e->code - c->chunks.base;
	const uint64_t bit = UINT64_C(1) << code % CSG_CHUNK_CODES;
	struct csg_code_ranges *ranges = ranges_at(c, code / CSG_CHUNK_CODES);

	if (!ranges)
		return -CSG_E_NO_MEMORY;
	if (ranges->interval != c->interval)
		ranges->known = 0;
	ranges->interval = c->interval;
	if (ranges->known & bit)
		return 0;
	ranges->ranges[code % CSG_CHUNK_CODES] =
		(struct csg_code_range){.start = e->start,
					.end = e->end,
					.instructions = e->instructions,
					.isa = e->isa,
					.branch = e->branch};
	ranges->known |= bit;
	narrow(c, e, place, time);
	return 0;
}

/* Counts a range that was not counted yet at this place. */
static __attribute__((noinline)) int start(struct csg_code_counts *c, const struct csg_element *e,
					   uint32_t place, uint64_t time)
{
	struct csg_code_count *count;
	int err = csg_code_chunks_make(&c->chunks, place, e->code, &count);

	if (err == -CSG_E_LIMIT) {
		err = empty(c, e->code, tell_tally);
		if (!err)
			err = csg_code_chunks_make(&c->chunks, place, e->code, &count);
	}
	if (!err)
		err = know(c, e, place, time);
	c->failed |= err == -CSG_E_NO_MEMORY;
	if (err)
		return err;
	count->executions = 1;
	count->taken = e->taken;
	return 0;
}

/* --- executions --- */

const struct csg_element *csg_code_counts_add(struct csg_code_counts *c,
					      const struct csg_element *e,
					      const struct csg_element *end, uint32_t place,
					      uint64_t time, int *err)
{
	const uint32_t owner = e->owner;

	for (; !*err && e < end; e++) {
		const struct csg_code_place at = csg_code_chunks_place(&c->chunks, place);
		const uint32_t base = c->chunks.base;

		for (; e < end && e->kind == CSG_ELEMENT_RANGE && e->owner == owner; e++) {
			struct csg_code_count *count = csg_code_place_count(&at, e->code - base);

			if (!count->executions)
				break;
			count->executions++;
			count->taken += e->taken;
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
	const uintptr_t *x = executions + ranges->start, *end = x + ranges->instructions;
	int err = 0;

	c->added += ranges->instructions;
	for (; !err && x < end; x++) {
		const struct csg_code_place at = csg_code_chunks_place(&c->chunks, place);
		const uint32_t base = c->chunks.base;
		struct csg_element range;

		for (; x < end; x++) {
			uint32_t code = csg_execution_code(*x)->number;
			struct csg_code_count *count = csg_code_place_count(&at, code - base);

			if (!count->executions)
				break;
			count->executions++;
			count->taken += csg_execution_taken(*x);
		}
		if (x == end)
			break;
		range = csg_execution_range(*x, ranges);
		err = start(c, &range, place, time);
	}
	return err;
}
