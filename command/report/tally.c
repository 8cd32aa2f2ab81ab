/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/tally.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"

int csg_tally_init(struct csg_tally *tally, const struct csg_tally_client *client,
		   unsigned int max_bits)
{
	tally->client = *client;
	tally->used = 0;
	tally->max_bits = max_bits;
	tally->bits = max_bits < CSG_TALLY_MIN_BITS ? max_bits : CSG_TALLY_MIN_BITS;
	tally->slots = calloc((size_t)1 << tally->bits, sizeof(*tally->slots));
	return tally->slots ? 0 : -CSG_E_NO_MEMORY;
}

void csg_tally_fini(struct csg_tally *tally)
{
	free(tally->slots);
	tally->slots = NULL;
}

int csg_tally_fold(struct csg_tally *tally)
{
	size_t n = (size_t)1 << tally->bits;
	int err = 0;

	if (!tally->used)
		return 0;
	for (size_t i = 0; i < n && !err; i++)
		if (tally->slots[i].executions)
			err = tally->client.fold(tally->client.arg, &tally->slots[i]);
	memset(tally->slots, 0, n * sizeof(*tally->slots));
	tally->used = 0;
	return err;
}

/* The entry of a range, or the free slot where it belongs. */
static struct csg_tally_range *find(struct csg_tally *tally, uint64_t start, uint64_t place_size)
{
	size_t mask = ((size_t)1 << tally->bits) - 1, i = csg_tally_slot(tally, start, place_size);

	for (;; i = (i + 1) & mask) {
		struct csg_tally_range *r = &tally->slots[i];

		if (!r->executions || (r->start == start && r->place_size == place_size))
			return r;
	}
}

static int grow(struct csg_tally *tally)
{
	struct csg_tally_range *old = tally->slots, *slots;
	size_t n = (size_t)1 << tally->bits;

	slots = calloc(2 * n, sizeof(*slots));
	if (!slots)
		return -CSG_E_NO_MEMORY;
	tally->slots = slots;
	tally->bits++;
	for (size_t i = 0; i < n; i++)
		if (old[i].executions)
			*find(tally, old[i].start, old[i].place_size) = old[i];
	free(old);
	return 0;
}

/* Makes room for one more entry. */
static int make_room(struct csg_tally *tally)
{
	if (tally->used < ((size_t)3 << tally->bits) / 4)
		return 0;
	/* Without memory for a larger table the one there is does, folded more often. */
	if (tally->bits < tally->max_bits && !grow(tally))
		return 0;
	return csg_tally_fold(tally);
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
	struct csg_tally_range *r = find(tally, e->start, place_size);
	int err;

	if (r->executions) {
		err = tally->client.fold(tally->client.arg, r);
	} else {
		err = make_room(tally);
		r = find(tally, e->start, place_size);
		tally->used++;
	}
	*r = csg_tally_range_of(e, (uint32_t)(place_size >> 32), time);
	r->last = csg_tally_last(tally, r);
	*entry = r;
	return err;
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

	csg_tally_count(r, e, 1, e->taken);
	return err;
}

int csg_tally_add_many(struct csg_tally *tally, const struct csg_element *e, uint32_t place,
		       uint64_t time, uint64_t n, uint64_t taken)
{
	uint64_t place_size = csg_tally_place_size(e, place);
	struct csg_tally_range *r = find(tally, e->start, place_size);
	int err = 0;

	if (!r->executions || time < r->time || time > r->last)
		err = start(tally, e, place_size, time, &r);
	csg_tally_count(r, e, n, taken);
	return err;
}
