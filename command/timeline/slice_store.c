/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/slice_store.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "util/array.h"

#define WIDEST (UINT64_MAX / 4)

void csg_slice_store_init(struct csg_slice_store *s, size_t budget)
{
	memset(s, 0, sizeof(*s));
	s->budget = budget < 2 ? 2 : budget;
}

void csg_slice_store_fini(struct csg_slice_store *s)
{
	free(s->slices);
	free(s->shares);
	memset(s, 0, sizeof(*s));
}

static int add_share(struct csg_slice_store *s, const struct csg_share *share)
{
	if (csg_array_grow((void **)&s->shares, s->share_n, &s->share_capacity, sizeof(*s->shares)))
		return -CSG_E_NO_MEMORY;
	s->shares[s->share_n++] = *share;
	return 0;
}

/* Adds to the shares from first on, which are at the end. */
static int count_share(struct csg_slice_store *s, size_t first, const struct csg_share *share)
{
	for (size_t i = first; i < s->share_n; i++) {
		struct csg_share *at = &s->shares[i];

		if (at->owner != share->owner || at->gap != share->gap)
			continue;
		at->time += share->time;
		at->instructions += share->instructions;
		at->missing += share->missing;
		at->slices += share->slices;
		return 0;
	}
	return add_share(s, share);
}

/* The shares of a slice of old, added to those from first on. */
static int count_slice(struct csg_slice_store *s, size_t first, const struct csg_stored *from,
		       const struct csg_share *old)
{
	const struct csg_slice *slice = &from->slice;
	const struct csg_share one = {
		.owner = slice->owner,
		.gap = slice->gap,
		.time = slice->end - slice->begin,
		.instructions = slice->instructions,
		.missing = slice->missing,
		.slices = 1,
	};
	int err = 0;

	if (!from->share_count)
		return count_share(s, first, &one);
	for (uint32_t i = 0; i < from->share_count && !err; i++)
		err = count_share(s, first, &old[from->shares + i]);
	return err;
}

static bool in_one_bucket(const struct csg_slice *slice, uint64_t first, uint64_t resolution)
{
	uint64_t bucket = first / resolution;

	return slice->begin / resolution == bucket && (slice->end - slice->begin < resolution) &&
	       slice->end <= (bucket + 1) * resolution;
}

/* How many slices from i on share a bucket. */
static size_t run_length(const struct csg_slice_store *s, size_t i)
{
	const struct csg_slice *first = &s->slices[i].slice;
	size_t n = 0;

	while (i + n < s->n && s->slices[i + n].slice.stream == first->stream &&
	       in_one_bucket(&s->slices[i + n].slice, first->begin, s->resolution))
		n++;
	return n ? n : 1;
}

/* Makes one of n slices from i on, at place to. */
static int merge(struct csg_slice_store *s, size_t to, size_t i, size_t n,
		 const struct csg_share *old)
{
	struct csg_stored merged = s->slices[i];
	int err = 0;

	merged.shares = s->share_n;
	for (size_t k = 0; k < n && !err; k++) {
		const struct csg_stored *from = &s->slices[i + k];

		if (n > 1 || from->share_count)
			err = count_slice(s, merged.shares, from, old);
		if (k) {
			merged.slice.end = from->slice.end;
			merged.slice.instructions += from->slice.instructions;
			merged.slice.missing += from->slice.missing;
			merged.slice.left = from->slice.left;
		}
	}
	merged.share_count = (uint32_t)(s->share_n - merged.shares);
	s->slices[to] = merged;
	return err;
}

static int compact(struct csg_slice_store *s)
{
	struct csg_share *old = s->shares;
	size_t to = 0;
	int err = 0;

	s->shares = NULL;
	s->share_n = s->share_capacity = 0;
	for (size_t i = 0, n; i < s->n && !err; i += n) {
		n = run_length(s, i);
		err = merge(s, to++, i, n, old);
	}
	s->n = to;
	free(old);
	return err;
}

/* A resolution that is worth beginning with: twice what a slice takes on average. */
static uint64_t first_resolution(const struct csg_slice_store *s)
{
	uint64_t all = 0;

	for (size_t i = 0; i < s->n; i++)
		all += s->slices[i].slice.end - s->slices[i].slice.begin;
	return 1 + all / s->n;
}

static int make_room(struct csg_slice_store *s)
{
	int err = 0;

	/* No bucket is wider than everything: there the budget must give way. */
	if (s->n >= s->budget && s->resolution < WIDEST) {
		s->resolution = s->resolution ? s->resolution : first_resolution(s);
		err = compact(s);
		while (!err && s->n > s->budget / 4 * 3 && s->resolution < WIDEST) {
			s->resolution *= 2;
			err = compact(s);
		}
	}
	if (err)
		return err;
	return csg_array_grow((void **)&s->slices, s->n, &s->capacity, sizeof(*s->slices));
}

int csg_slice_store_add(struct csg_slice_store *s, const struct csg_slice *slice)
{
	int err = make_room(s);

	if (!err)
		s->slices[s->n++] = (struct csg_stored){.slice = *slice};
	return err;
}
