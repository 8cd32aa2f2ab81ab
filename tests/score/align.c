/* SPDX-License-Identifier: BSD-3-Clause */
#include "score/align.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "score/align_place.h"

int csg_align_begin(struct csg_align *a, struct csg_truth *truth,
		    const struct csg_truth_stream *stream, const struct csg_align_client *client)
{
	memset(a, 0, sizeof(*a));
	a->truth = truth;
	a->client = *client;
	a->synced = true;
	a->patience = CSG_ALIGN_FIRST;
	a->look = malloc(CSG_ALIGN_LOOK * sizeof(*a->look));
	if (!a->look)
		return -CSG_E_NO_MEMORY;
	return csg_truth_select(truth, stream);
}

void csg_align_fini(struct csg_align *a)
{
	free(a->look);
	a->look = NULL;
}

static int lose_sync(struct csg_align *a, enum csg_gap why)
{
	if (a->synced || a->why == CSG_GAP_NONE)
		a->why = why;
	a->synced = a->floating = a->loose = a->has_back = false;
	return 0;
}

/* --- in step --- */

static int mismatch(struct csg_align *a, enum csg_mismatch what, uint64_t wanted, uint64_t n,
		    uint64_t address, const struct csg_element *e)
{
	const bool held = a->head < a->n;

	return a->client.mismatch(a->client.arg, what, held ? &a->look[a->head] : NULL, wanted, n,
				  address, e);
}

static int keep(struct csg_align *a, const struct csg_element *e, struct csg_align_when when);

static int pair(struct csg_align *a, uint64_t n, uint64_t address, const struct csg_element *e,
		uint64_t time)
{
	const struct csg_align_client *client = &a->client;
	const struct csg_truth_piece *piece = &a->look[a->head];

	return a->open ? client->ambiguous(client->arg, piece, a->open, n, address, e, time)
		       : client->pair(client->arg, piece, n, address, e, time);
}

/* From at on it is not the truth: reported, and looked for elsewhere. */
static int fall_out(struct csg_align *a, const struct csg_element *e, uint64_t at,
		    struct csg_align_when when, enum csg_mismatch what, uint64_t wanted)
{
	struct csg_element rest = *e;
	int err = mismatch(a, what, wanted, 0, at, e);

	lose_sync(a, CSG_GAP_NONE);
	rest.instructions -= (uint32_t)((at - e->start) / 4);
	rest.start = at;
	return err ? err : keep(a, &rest, when);
}

static int afloat(struct csg_align *a, const struct csg_element *e, struct csg_align_when when);

/* Whether e is of another run than the one in which decoding resumed: that one was over sooner. */
static bool has_left(const struct csg_align *a, const struct csg_element *e)
{
	return a->loose && a->used && !a->look[a->head].straight &&
	       csg_align_el_of(a, a->head) != e->el;
}

static int in_step(struct csg_align *a, const struct csg_element *e, struct csg_align_when when)
{
	uint64_t left = e->instructions, at = e->start;

	while (left) {
		uint64_t wanted = 0, n;
		int ret = csg_align_hold_head(a);

		if (ret < 0)
			return ret;
		if (!ret)
			return fall_out(a, e, at, when, CSG_MISMATCH_MORE, 0);
		if (at == e->start && has_left(a, e)) {
			a->floating = true;
			return afloat(a, e, when);
		}
		if (csg_align_tells(&a->look[a->head], a->used, &wanted) && wanted != at)
			return fall_out(a, e, at, when, CSG_MISMATCH_ADDRESS, wanted);
		n = a->look[a->head].count - a->used;
		n = n < left ? n : left;
		ret = pair(a, n, at, e, when.time);
		if (ret)
			return ret;
		a->used += n;
		left -= n;
		at += 4 * n;
		if (a->used == a->look[a->head].count) {
			a->head++;
			a->used = 0;
			a->loose = false;
		}
	}
	return 0;
}

/* --- afloat --- */

/* The first run after the one in hand that begins inside of e, as far as sent allows. */
static int find_shore(struct csg_align *a, const struct csg_element *e, uint64_t sent, size_t *at)
{
	for (*at = a->head + 1;; (*at)++) {
		int ret = csg_align_hold(a, *at);

		if (ret <= 0 || a->look[*at].offset > sent)
			return ret < 0 ? ret : 0;
		if (a->look[*at].start - e->start < 4 * (uint64_t)e->instructions &&
		    csg_align_el_of(a, *at) == e->el)
			return 1;
	}
}

static int afloat(struct csg_align *a, const struct csg_element *e, struct csg_align_when when)
{
	struct csg_element rest = *e;
	uint64_t n = e->instructions;
	size_t shore = a->head;
	int ret = csg_align_hold_head(a);

	if (ret > 0)
		ret = find_shore(a, e, when.sent, &shore);
	if (ret < 0)
		return ret;
	if (ret)
		n = (a->look[shore].start - e->start) / 4;
	if (n > a->look[a->head].count - a->used)
		return fall_out(a, e, e->start, when, CSG_MISMATCH_MORE, 0);
	if (n) {
		int err = pair(a, n, e->start, e, when.time);

		if (err)
			return err;
		a->used += n;
	}
	if (!ret)
		return 0;
	ret = csg_align_lose_until(a, (struct csg_align_place){shore, 0});
	a->floating = a->loose = false;
	rest.start = a->look[a->head].start;
	rest.instructions -= (uint32_t)n;
	return ret ? ret : in_step(a, &rest, when);
}

/* --- after a gap --- */

/* The ranges are of the truth from its head on; open: or of others, at other places. */
static int commit(struct csg_align *a, bool open)
{
	const unsigned int n = a->pendings;
	struct csg_align_range ranges[CSG_ALIGN_PENDING];
	int err = 0;

	memcpy(ranges, a->pending, n * sizeof(ranges[0]));
	a->pendings = 0;
	a->patience = CSG_ALIGN_FIRST;
	a->synced = a->loose = true;
	for (unsigned int i = 0; i < n && !err; i++) {
		const struct csg_align_range *r = &ranges[i];

		a->open = open && csg_align_is_open(&r->owners) ? &r->owners : NULL;
		err = !a->synced    ? keep(a, &r->e, r->when)
		      : a->floating ? afloat(a, &r->e, r->when)
				    : in_step(a, &r->e, r->when);
	}
	a->open = NULL;
	if (open)
		a->synced = a->floating = a->loose = false;
	return err;
}

/* The truth has none of them. */
static int give_up(struct csg_align *a)
{
	const unsigned int n = a->pendings;

	a->pendings = 0;
	a->patience = CSG_ALIGN_FIRST;
	for (unsigned int i = 0; i < n; i++) {
		const struct csg_element *e = &a->pending[i].e;
		int err = mismatch(a, CSG_MISMATCH_PLACE, 0, e->instructions, e->start, e);

		if (err)
			return err;
	}
	return 0;
}

/* Whether the place may lie after what can be held. */
static bool is_cut(const struct csg_align *a)
{
	const uint64_t offset = a->n ? a->look[a->n - 1].offset : 0;

	return a->n == CSG_ALIGN_LOOK && !a->drained &&
	       (offset == CSG_TRUTH_NO_OFFSET || offset <= a->pending[0].when.sent);
}

/*
 * The first place of as many ranges as fit: all, or those that did before others came.  As
 * csg_align_find().
 */
static int find_place(struct csg_align *a, unsigned int *n, struct csg_align_place *place)
{
	int ret = csg_align_hold_head(a);

	if (ret >= 0)
		ret = csg_align_skip_past(a);
	for (*n = a->pendings; !ret; *n = *n / 2 > CSG_ALIGN_FIRST ? *n / 2 : CSG_ALIGN_FIRST) {
		ret = csg_align_find(a, a->head, *n, place);
		if (ret || *n <= CSG_ALIGN_FIRST)
			return ret;
	}
	return ret;
}

/* Looks for the place of the ranges that are pending; last: no others come that could decide it. */
static int settle(struct csg_align *a, bool last)
{
	while (a->pendings) {
		int choice = CSG_ALIGN_ONLY, err;
		struct csg_align_place place;
		unsigned int n;
		int ret = find_place(a, &n, &place);

		if (!ret && is_cut(a)) {
			/* A long gap: not in what can be held. */
			ret = csg_align_lose_until(
				a, (struct csg_align_place){a->head + CSG_ALIGN_LOOK / 4, 0});
			if (!ret)
				ret = csg_align_hold_head(a);
			if (ret < 0)
				return ret;
			continue;
		}
		if (ret > 0) {
			choice = csg_align_find_others(a, place, n);
		} else if (!ret) {
			ret = csg_align_find_run(a, &place);
			a->floating = ret > 0;
		}
		if (ret <= 0 || choice < 0)
			return ret < 0 ? ret : choice < 0 ? choice : give_up(a);
		if (choice && !last && a->pendings < CSG_ALIGN_PENDING) {
			a->patience = 2 * a->pendings;
			return 0;
		}
		err = csg_align_lose_until(a, place);
		return err ? err
			   : commit(a, choice == CSG_ALIGN_OTHER_OWNERS && a->client.ambiguous);
	}
	return 0;
}

static int keep(struct csg_align *a, const struct csg_element *e, struct csg_align_when when)
{
	a->pending[a->pendings++] = (struct csg_align_range){.e = *e, .when = when};
	return a->pendings == a->patience ? settle(a, false) : 0;
}

/* --- elements --- */

static int add_range(struct csg_align *a, const struct csg_element *e, struct csg_align_when when)
{
	a->has_back = e->branch == CSG_BRANCH_NONE || e->branch >= CSG_BRANCH_BARRIER || !e->taken;
	a->back = e->end;
	if (!a->synced)
		return keep(a, e, when);
	return a->floating ? afloat(a, e, when) : in_step(a, e, when);
}

static int add_exception(struct csg_align *a, const struct csg_element *e)
{
	const bool differs = a->has_back && e->has_return && e->end != a->back;

	if (!differs)
		return 0;
	return mismatch(a, CSG_MISMATCH_RETURN, a->back, 0, e->end, e);
}

/* Where the truth executes this one instruction, which is not decoded: 1, 0 not to be found. */
static int find_missing(struct csg_align *a, const struct csg_element *e,
			struct csg_align_when when)
{
	struct csg_align_place place;
	uint64_t wanted;
	int ret = csg_align_hold_head(a);

	if (ret <= 0)
		return ret;
	if (a->synced && csg_align_tells(&a->look[a->head], a->used, &wanted) && wanted != e->start)
		return mismatch(a, CSG_MISMATCH_ADDRESS, wanted, 0, e->start, e);
	if (a->synced)
		return 1;
	a->pending[0] = (struct csg_align_range){.e = *e, .when = when};
	a->pending[0].e.instructions = 1;
	a->pendings = 1;
	ret = csg_align_skip_past(a);
	if (!ret)
		ret = csg_align_find(a, a->head, 1, &place);
	if (ret > 0)
		ret = csg_align_is_certain(a, place);
	a->pendings = 0;
	if (ret <= 0)
		return ret;
	ret = csg_align_lose_until(a, place);
	a->synced = true;
	return ret ? ret : 1;
}

/*
 * Code was missing at an address: an instruction there was executed.  Where the truth is at it, the
 * owner whose code was wanted is a claim to be checked against the truth.
 */
static int add_missing(struct csg_align *a, const struct csg_element *e, struct csg_align_when when)
{
	int ret = a->floating ? 0 : find_missing(a, e, when);

	if (ret > 0)
		ret = a->client.claim(a->client.arg, &a->look[a->head], e);
	return ret < 0 ? ret : lose_sync(a, (enum csg_gap)e->gap);
}

static int add_gap(struct csg_align *a, const struct csg_element *e, enum csg_gap gap,
		   struct csg_align_when when)
{
	const bool missing = gap == CSG_GAP_NO_CODE || gap == CSG_GAP_NO_OWNER;
	int err = a->synced ? 0 : settle(a, true);

	if (!err)
		err = missing ? add_missing(a, e, when) : lose_sync(a, gap);
	return err;
}

int csg_align_add(struct csg_align *a, const struct csg_element *e, struct csg_align_when when)
{
	int err;

	switch (e->kind) {
	case CSG_ELEMENT_RANGE:
		return e->instructions ? add_range(a, e, when) : 0;
	case CSG_ELEMENT_RANGE_NOPATH:
		return add_gap(a, e, CSG_GAP_DISCARD, when);
	case CSG_ELEMENT_GAP:
		a->has_back = false;
		if (!csg_align_is_loss((enum csg_gap)e->gap))
			return 0;
		return add_gap(a, e, (enum csg_gap)e->gap, when);
	case CSG_ELEMENT_EXCEPTION:
		err = add_exception(a, e);
		a->has_back = false;
		return err;
	case CSG_ELEMENT_END:
		a->has_back = false;
		return 0;
	default:
		return 0;
	}
}

int csg_align_end(struct csg_align *a)
{
	bool reported = false;
	int ret = a->synced ? 0 : settle(a, true);

	if (a->synced && !a->floating)
		a->why = CSG_GAP_NONE;
	reported = !a->synced || a->floating;
	while (!ret && (ret = csg_align_hold_head(a)) > 0) {
		if (!reported)
			ret = mismatch(a, CSG_MISMATCH_END, 0, 0, 0, NULL);
		else
			ret = 0;
		reported = true;
		if (!ret)
			ret = csg_align_lose_until(a, (struct csg_align_place){a->head + 1, 0});
	}
	return ret;
}
