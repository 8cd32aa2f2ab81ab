/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts executed ranges: one entry per distinct (place, start, size), where a place is a number
 * that its user gives out (report/report.h: whose code it is).  Programs execute few
 * distinct ranges very often, so counting them costs one hash probe per range, and
 * everything dear (symbols, names) is asked once per entry, when it is folded.
 *
 * An entry is good for an interval of time, because addresses change their meaning: mappings come
 * and go, text is patched.  A range seen outside of it is folded and begun anew.  When the
 * table has grown to its limit, all entries are folded and it begins empty: memory is bounded.
 */
#ifndef COMMAND_REPORT_TALLY_H
#define COMMAND_REPORT_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/element.h"
#include "util/hash.h"

/* What was counted of one range.  64 bytes: one cache line. */
struct csg_tally_range {
	uint64_t start;
	uint64_t place_size; /* place << 32 | bytes of the range (UINT32_MAX: that or more) */
	uint64_t executions;
	uint64_t instructions;
	uint64_t branches; /* taken ones, at the end of the range */
	uint64_t time;	   /* first seen, ns; good from here ... */
	uint64_t last;	   /* ... to here, inclusive */
	uint8_t isa;	   /* enum csg_isa */
	uint8_t reserved[7];
};

struct csg_tally_client {
	void *arg;
	/* From when on (ns) something else may lie at this range than at its time;
	 * UINT64_MAX: never. */
	uint64_t (*until)(void *arg, const struct csg_tally_range *range);
	/* Takes the counts of an entry.  0, or a negative error, which ends the counting. */
	int (*fold)(void *arg, const struct csg_tally_range *range);
};

struct csg_tally {
	struct csg_tally_range *entries;
	struct csg_hash numbers; /* of entries */
	struct csg_tally_client client;
	size_t count, capacity, max;
};

#define CSG_TALLY_MAX (3u << 17) /* 24 MB */

static inline uint32_t csg_tally_place(const struct csg_tally_range *range)
{
	return (uint32_t)(range->place_size >> 32);
}

static inline uint32_t csg_tally_size(const struct csg_tally_range *range)
{
	return (uint32_t)range->place_size;
}

/* max: entries at most, CSG_TALLY_MAX, or less for tests. */
void csg_tally_init(struct csg_tally *tally, const struct csg_tally_client *client, size_t max);
void csg_tally_fini(struct csg_tally *tally);

/* Folds all entries and empties the table. */
int csg_tally_fold(struct csg_tally *tally);

/* For csg_tally_add(): the range is new, or its entry's time is over. */
int csg_tally_begin(struct csg_tally *tally, const struct csg_element *e, uint64_t place_size,
		    uint64_t time);

/* Counts n > 0 executions of a range, after this many of which it was taken, at time. */
int csg_tally_add_many(struct csg_tally *tally, const struct csg_element *e, uint32_t place,
		       uint64_t time, uint64_t n, uint64_t taken);

/* What an element is an execution of, with nothing counted; last is not set. */
struct csg_tally_range csg_tally_range_of(const struct csg_element *e, uint32_t place,
					  uint64_t time);

/* Until when (inclusive) the same lies at a range as at its time. */
uint64_t csg_tally_last(const struct csg_tally *tally, const struct csg_tally_range *range);

/* Adds n executions of e, after this many of which it was taken. */
void csg_tally_count(struct csg_tally_range *range, const struct csg_element *e, uint64_t n,
		     uint64_t taken);

/* True for the branches that count when taken: a waypoint that is a barrier or WFI is none. */
static inline bool csg_tally_is_branch(uint8_t branch)
{
	return branch >= CSG_BRANCH_DIRECT && branch <= CSG_BRANCH_ERET;
}

/* The place and size of an element, as entries have them. */
static inline uint64_t csg_tally_place_size(const struct csg_element *e, uint32_t place)
{
	uint64_t size = e->end - e->start;

	return (uint64_t)place << 32 | (size < UINT32_MAX ? size : UINT32_MAX);
}

struct csg_tally_key {
	uint64_t start, place_size;
};

static inline bool csg_tally_equal(const void *tally, uint32_t number, const void *key)
{
	const struct csg_tally_range *r = &((const struct csg_tally *)tally)->entries[number];
	const struct csg_tally_key *want = key;

	return r->start == want->start && r->place_size == want->place_size;
}

static inline uint32_t csg_tally_hash(uint64_t start, uint64_t place_size)
{
	return csg_hash_of((start ^ place_size * 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu);
}

/* The entry of a range; NULL: it has none. */
static inline struct csg_tally_range *csg_tally_find(const struct csg_tally *tally, uint64_t start,
						     uint64_t place_size)
{
	const struct csg_tally_key key = {start, place_size};
	const int64_t number = csg_hash_find(&tally->numbers, csg_tally_hash(start, place_size),
					     csg_tally_equal, tally, &key);

	return number < 0 ? NULL : &tally->entries[number];
}

/* Counts a RANGE element of this place at time (ns; UINT64_MAX: not known). */
static inline int csg_tally_add(struct csg_tally *tally, const struct csg_element *e,
				uint32_t place, uint64_t time)
{
	uint64_t place_size = csg_tally_place_size(e, place);
	struct csg_tally_range *r = csg_tally_find(tally, e->start, place_size);

	if (!r || time < r->time || time > r->last)
		return csg_tally_begin(tally, e, place_size, time);
	r->executions++;
	r->instructions += e->instructions;
	r->branches += e->taken & csg_tally_is_branch(e->branch);
	return 0;
}

#endif
