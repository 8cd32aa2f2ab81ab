/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/holes.h"

#include <stdlib.h>

#include "csguest/error.h"
#include "csguest/owner.h"
#include "util/bisect.h"

void csg_holes_fini(struct csg_holes *h)
{
	free(h->holes);
	free(h->read);
	*h = (struct csg_holes){0};
}

static int by_place(const void *a, const void *b)
{
	const struct csg_hole *x = a, *y = b;

	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return x->from != y->from ? (x->from < y->from ? -1 : 1) : 0;
}

int csg_holes_make(struct csg_holes *h, const struct csg_residency *r)
{
	size_t n;
	const struct csg_residency_taint *taints = csg_residency_taints(r, &n);

	csg_holes_fini(h);
	if (!n)
		return 0;
	h->holes = calloc(n, sizeof(*h->holes));
	h->read = calloc(r->count, sizeof(*h->read));
	if (!h->holes || !h->read) {
		csg_holes_fini(h);
		return -CSG_E_NO_MEMORY;
	}
	h->cpus = r->count;
	for (size_t i = 0; i < n; i++)
		if (taints[i].record != CSG_RESIDENCY_PROCESS)
			h->holes[h->count++] = (struct csg_hole){.cpu = taints[i].cpu,
								 .time = taints[i].time,
								 .from = taints[i].from,
								 .until = taints[i].until,
								 .open_from = UINT64_MAX};
	qsort(h->holes, h->count, sizeof(*h->holes), by_place);
	return 0;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* What is to be reported of the hole when the trace was read up to a time. */
static void report(const struct csg_hole *hole, uint64_t read,
		   struct csg_contradictions *contradictions)
{
	uint64_t begin = earlier(hole->time, hole->open_from);
	uint64_t end = later(hole->time, hole->open_until);

	if (read < hole->until) {
		begin = earlier(begin, later(read, hole->from));
		end = hole->until < UINT64_MAX ? hole->until : end;
	}
	csg_contradictions_narrow(contradictions, &(struct csg_contradiction){
							  .kind = CSG_CONTRADICTION_SWITCH_RECORDS,
							  .cpu = hole->cpu,
							  .vm = CSG_VM_HOST,
							  .begin = CSG_NO_INDEX,
							  .record_time = hole->time,
							  .begin_time = begin,
							  .end_time = end,
						  });
}

static void leave_open(struct csg_hole *hole, const struct csg_hole_part *part)
{
	hole->open_from = earlier(hole->open_from, later(part->from, hole->from));
	hole->open_until = later(hole->open_until, earlier(part->until, hole->until));
}

void csg_holes_read(struct csg_holes *h, const struct csg_hole_part *part,
		    struct csg_contradictions *contradictions)
{
	uint64_t before, *read;
	size_t i;

	if (part->cpu < 0 || (size_t)part->cpu >= h->cpus)
		return;
	read = &h->read[part->cpu];
	before = *read;
	*read = later(*read, part->ended);
	CSG_BISECT(i, h->count,
		   h->holes[i].cpu < part->cpu || (h->holes[i].cpu == part->cpu &&
						   h->holes[i].from <= later(part->until, *read)));
	/* Holes of one CPU do not overlap: those before one that is over are over, too. */
	while (i-- > 0 && h->holes[i].cpu == part->cpu &&
	       h->holes[i].until >= earlier(part->from, before)) {
		if (!part->named && h->holes[i].until >= part->from &&
		    h->holes[i].from <= part->until)
			leave_open(&h->holes[i], part);
		report(&h->holes[i], part->last ? UINT64_MAX : *read, contradictions);
	}
}
