/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/conflicts.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"

void csg_conflicts_fini(struct csg_conflicts *c)
{
	free(c->waiting);
	*c = (struct csg_conflicts){0};
}

static void drop_first(struct csg_conflicts *c)
{
	c->count--;
	memmove(c->waiting, c->waiting + 1, c->count * sizeof(*c->waiting));
}

static int pass_undated(struct csg_conflicts *c, struct csg_contradictions *into)
{
	struct csg_contradiction one = c->waiting[0].one;

	one.begin_time = c->waiting[0].piece_time;
	drop_first(c);
	return csg_contradictions_add(into, &one);
}

static bool is_same(const struct csg_contradiction *a, const struct csg_contradiction *b)
{
	return a->kind == b->kind && a->begin == b->begin;
}

int csg_conflicts_take(struct csg_conflicts *c, const struct csg_contradiction *one, uint64_t stamp,
		       uint64_t piece_time, struct csg_contradictions *into)
{
	struct csg_conflict *last = c->count ? &c->waiting[c->count - 1] : NULL;
	int err = 0;

	if (last && is_same(&last->one, one)) {
		last->one.end = one->end;
		last->end_stamp = stamp;
		return 0;
	}
	if (!c->waiting)
		c->waiting = malloc(CSG_CONFLICTS * sizeof(*c->waiting));
	if (!c->waiting)
		return -CSG_E_NO_MEMORY;
	if (c->count == CSG_CONFLICTS)
		err = pass_undated(c, into);
	c->waiting[c->count++] = (struct csg_conflict){
		.one = *one, .begin_stamp = stamp, .end_stamp = stamp, .piece_time = piece_time};
	return err;
}

static int pass(struct csg_conflict *conflict, struct csg_host_clock *clock,
		struct csg_contradictions *into)
{
	struct csg_contradiction *one = &conflict->one;

	one->begin_time = csg_host_clock_time(clock, conflict->begin_stamp);
	one->end_time = csg_host_clock_time(clock, conflict->end_stamp);
	if (!one->begin_time)
		one->begin_time = conflict->piece_time;
	return csg_contradictions_add(into, one);
}

int csg_conflicts_pass(struct csg_conflicts *c, struct csg_host_clock *clock, uint64_t stamped,
		       struct csg_contradictions *into)
{
	int err = 0;

	while (!err && c->count && c->waiting[0].end_stamp <= stamped &&
	       (stamped == UINT64_MAX ||
		csg_host_clock_is_settled(clock, c->waiting[0].end_stamp))) {
		err = pass(&c->waiting[0], clock, into);
		drop_first(c);
	}
	return err;
}
