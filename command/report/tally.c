/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/tally.h"

#include <stdlib.h>

#include "util/array.h"

void csg_tally_init(struct csg_tally *tally, const struct csg_tally_client *client, size_t max)
{
	*tally = (struct csg_tally){.client = *client, .max = max};
}

void csg_tally_fini(struct csg_tally *tally)
{
	free(tally->entries);
	csg_hash_fini(&tally->numbers);
}

int csg_tally_fold(struct csg_tally *tally)
{
	int err = 0;

	for (size_t i = 0; i < tally->count && !err; i++)
		err = tally->client.fold(tally->client.arg, &tally->entries[i]);
	csg_hash_clear(&tally->numbers);
	tally->count = 0;
	return err;
}

static int add_entry(struct csg_tally *tally, uint64_t start, uint64_t place_size)
{
	int err = csg_array_grow((void **)&tally->entries, tally->count, &tally->capacity,
				 sizeof(*tally->entries));

	if (!err)
		err = csg_hash_add(&tally->numbers, csg_tally_hash(start, place_size),
				   (uint32_t)tally->count);
	if (!err)
		tally->count++;
	return err;
}

/* Adds an entry.  Without memory for more those that there are do, folded more often. */
static int make_entry(struct csg_tally *tally, uint64_t start, uint64_t place_size)
{
	int err = tally->count == tally->max ? csg_tally_fold(tally) : 0;

	if (err)
		return err;
	err = add_entry(tally, start, place_size);
	if (!err || !tally->count)
		return err;
	err = csg_tally_fold(tally);
	return err ? err : add_entry(tally, start, place_size);
}

struct csg_tally_range csg_tally_range_of(const struct csg_element *e, uint32_t place,
					  uint64_t time)
{
	return (struct csg_tally_range){.start = e->start,
					.place_size = csg_tally_place_size(e, place),
					.time = time,
					.isa = e->isa};
}

uint64_t csg_tally_last(const struct csg_tally *tally, const struct csg_tally_range *range)
{
	uint64_t until = tally->client.until(tally->client.arg, range);

	if (until == UINT64_MAX)
		return until;
	return until > range->time ? until - 1 : range->time;
}

/* A new entry, which counts nothing yet. */
static int start(struct csg_tally *tally, const struct csg_element *e, uint64_t place_size,
		 uint64_t time, struct csg_tally_range **entry)
{
	struct csg_tally_range *r = csg_tally_find(tally, e->start, place_size);
	int err = r ? tally->client.fold(tally->client.arg, r)
		    : make_entry(tally, e->start, place_size);

	if (err)
		return err;
	if (!r)
		r = &tally->entries[tally->count - 1];
	*r = csg_tally_range_of(e, (uint32_t)(place_size >> 32), time);
	r->last = csg_tally_last(tally, r);
	*entry = r;
	return 0;
}

void csg_tally_count(struct csg_tally_range *r, const struct csg_element *e, uint64_t n,
		     uint64_t taken)
{
	r->executions += n;
	r->instructions += n * e->instructions;
	r->branches += csg_tally_is_branch(e->branch) ? taken : 0;
}

int csg_tally_begin(struct csg_tally *tally, const struct csg_element *e, uint64_t place_size,
		    uint64_t time)
{
	struct csg_tally_range *r;
	int err = start(tally, e, place_size, time, &r);

	if (!err)
		csg_tally_count(r, e, 1, e->taken);
	return err;
}

int csg_tally_add_many(struct csg_tally *tally, const struct csg_element *e, uint32_t place,
		       uint64_t time, uint64_t n, uint64_t taken)
{
	uint64_t place_size = csg_tally_place_size(e, place);
	struct csg_tally_range *r = csg_tally_find(tally, e->start, place_size);
	int err = 0;

	if (!r || time < r->time || time > r->last)
		err = start(tally, e, place_size, time, &r);
	if (!err)
		csg_tally_count(r, e, n, taken);
	return err;
}
