/* SPDX-License-Identifier: BSD-3-Clause */
#include "score/align_place.h"

/* Whether the first ranges fit from there on: 1 or 0. */
static int fits(struct csg_align *a, struct csg_align_place p, unsigned int ranges)
{
	for (unsigned int i = 0; i < ranges; i++) {
		uint64_t left = a->pending[i].e.instructions, at = a->pending[i].e.start;

		while (left) {
			uint64_t wanted, n;
			int ret = csg_align_hold(a, p.at);

			if (ret <= 0)
				return ret < 0 ? ret : !a->drained;
			if (csg_align_tells(&a->look[p.at], p.used, &wanted) && wanted != at)
				return 0;
			n = a->look[p.at].count - p.used;
			n = n < left ? n : left;
			left -= n;
			at += 4 * n;
			p.used += n;
			if (p.used == a->look[p.at].count)
				p = (struct csg_align_place){p.at + 1, 0};
		}
	}
	return 1;
}

/* Whether the first range can begin in look[at]; used: where. */
static bool can_begin(const struct csg_align *a, size_t at, uint64_t *used)
{
	const struct csg_truth_piece *p = &a->look[at];
	const uint64_t from = a->pending[0].e.start - p->start;

	*used = from / 4;
	if (p->offset != CSG_TRUTH_NO_OFFSET && p->offset > a->pending[0].when.sent)
		return false;
	if (!p->straight && from)
		return false;
	/* The beginning of a run is spoken of soon after what was sent before it. */
	if (p->first && !from && p->offset != CSG_TRUTH_NO_OFFSET &&
	    a->pending[0].when.sent > p->offset + CSG_TRUTH_HELD_BACK)
		return false;
	return !(from & 3) && *used < p->count && (at != a->head || *used >= a->used);
}

/* Whether all of the run before look[at] was sent before that. */
static bool is_past(const struct csg_align *a, size_t at, uint64_t sent)
{
	const struct csg_truth_piece *p = &a->look[at];

	if (!p->first)
		return false;
	/* A window is sent whole at its end. */
	return p->window == a->look[at - 1].window ? p->offset + CSG_TRUTH_HELD_BACK < sent
						   : p->offset <= sent;
}

int csg_align_skip_past(struct csg_align *a)
{
	const uint64_t sent = a->pending[0].when.sent;
	size_t at = a->head;
	int ret;

	if (sent == CSG_TRUTH_NO_OFFSET)
		return 0;
	for (;;) {
		ret = csg_align_hold(a, ++at);
		if (ret < 0)
			return ret;
		if (!ret || a->look[at].offset == CSG_TRUTH_NO_OFFSET || a->look[at].offset > sent)
			return 0;
		if (!is_past(a, at, sent))
			continue;
		ret = csg_align_lose_until(a, (struct csg_align_place){at, 0});
		if (!ret)
			ret = csg_align_hold_head(a);
		if (ret < 0)
			return ret;
		at = a->head;
	}
}

/* 1: found in what is held, from there on; of_level: at the exception level that is decoded. */
static int find_at(struct csg_align *a, size_t from, unsigned int n, bool of_level,
		   struct csg_align_place *place)
{
	for (place->at = from;; place->at++) {
		int ret = csg_align_hold(a, place->at);

		if (ret <= 0)
			return ret;
		if (a->look[place->at].offset != CSG_TRUTH_NO_OFFSET &&
		    a->look[place->at].offset > a->pending[0].when.sent)
			return 0;
		if (of_level && csg_align_el_of(a, place->at) != a->pending[0].e.el)
			continue;
		if (!can_begin(a, place->at, &place->used))
			continue;
		ret = fits(a, *place, n);
		if (ret)
			return ret;
	}
}

/* A level that is decoded wrongly has no place, and is compared with another. */
int csg_align_find(struct csg_align *a, size_t from, unsigned int n, struct csg_align_place *place)
{
	int ret = find_at(a, from, n, true, place);

	return ret ? ret : find_at(a, from, n, false, place);
}

static bool has_owner(const struct csg_align_owners *o, unsigned int n, uint32_t owner)
{
	for (unsigned int i = 0; i < n; i++)
		if (o->owner[i] == owner)
			return true;
	return false;
}

static void add_owner(struct csg_align_owners *o, uint32_t owner)
{
	if (has_owner(o, o->n, owner))
		return;
	if (o->n < CSG_ALIGN_OWNERS)
		o->owner[o->n++] = owner;
	else
		o->more = true;
}

/* The owners that the first ranges have from there on. */
static void add_owners(struct csg_align *a, struct csg_align_place p, unsigned int ranges)
{
	for (unsigned int i = 0; i < ranges; i++) {
		uint64_t left = a->pending[i].e.instructions;

		while (left && p.at < a->n) {
			const uint64_t n = a->look[p.at].count - p.used;

			add_owner(&a->pending[i].owners, a->look[p.at].owner);
			p = n > left ? (struct csg_align_place){p.at, p.used + left}
				     : (struct csg_align_place){p.at + 1, 0};
			left -= n < left ? n : left;
		}
	}
}

int csg_align_find_others(struct csg_align *a, struct csg_align_place place, unsigned int n)
{
	const bool of_level = csg_align_el_of(a, place.at) == a->pending[0].e.el;
	struct csg_align_place other = place;
	int ret, choice = CSG_ALIGN_ONLY;

	for (unsigned int i = 0; i < n; i++)
		a->pending[i].owners = (struct csg_align_owners){0};
	if (a->pending[0].when.sent == CSG_TRUTH_NO_OFFSET ||
	    a->look[place.at].offset == CSG_TRUTH_NO_OFFSET)
		return CSG_ALIGN_ONLY;
	add_owners(a, place, n);
	for (unsigned int i = 0; i < n; i++)
		a->pending[i].owners.own = a->pending[i].owners.n;
	while ((ret = find_at(a, other.at + 1, n, of_level, &other)) > 0) {
		choice = CSG_ALIGN_SAME_OWNERS;
		add_owners(a, other, n);
	}
	for (unsigned int i = 0; i < n; i++)
		if (csg_align_is_open(&a->pending[i].owners))
			choice = CSG_ALIGN_OTHER_OWNERS;
	return ret < 0 ? ret : choice;
}

int csg_align_find_run(struct csg_align *a, struct csg_align_place *place)
{
	int found = 0;

	for (size_t at = a->head;; at++) {
		int ret = csg_align_hold(a, at);

		if (ret < 0)
			return ret;
		if (!ret || a->look[at].offset == CSG_TRUTH_NO_OFFSET ||
		    a->look[at].offset > a->pending[0].when.sent)
			return found;
		if (a->look[at].straight || csg_align_el_of(a, at) != a->pending[0].e.el)
			continue;
		if (a->look[at].count - (at == a->head ? a->used : 0) <
		    a->pending[0].e.instructions)
			continue;
		place->at = at;
		place->used = at == a->head ? a->used : 0;
		found = 1;
	}
}

int csg_align_is_certain(struct csg_align *a, struct csg_align_place place)
{
	struct csg_align_place other = place;
	int ret;

	while ((ret = csg_align_find(a, other.at + 1, 1, &other)) > 0)
		if (a->look[other.at].owner != a->look[place.at].owner)
			return 0;
	return ret < 0 ? ret : 1;
}
