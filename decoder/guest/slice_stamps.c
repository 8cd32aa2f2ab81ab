/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/slice_stamps.h"

#include <stdlib.h>

#include "csguest/error.h"
#include "guest/guest_process.h"
#include "util/array.h"

void csg_slice_stamps_fini(struct csg_slice_stamps *s)
{
	free(s->slices);
	*s = (struct csg_slice_stamps){0};
}

void csg_slice_stamps_see(struct csg_slice_stamps *s, uint64_t timestamp)
{
	s->back |= timestamp < s->latest;
	s->latest = timestamp;
	if (!s->open.first)
		s->open.first = timestamp;
	s->open.last = timestamp;
}

int csg_slice_stamps_end(struct csg_slice_stamps *s, bool counts)
{
	if (counts) {
		if (csg_array_grow((void **)&s->slices, s->count, &s->capacity, sizeof(*s->slices)))
			return -CSG_E_NO_MEMORY;
		s->slices[s->count++] = s->open;
	}
	s->open = (struct csg_slice_stamp){0};
	return 0;
}

/* Who ran in a time slice. */
struct named {
	struct csg_ran_from who;
	bool known, conflict;
};

static struct named at_stamp(const struct csg_facts *facts, int32_t vm, int32_t host_tid,
			     uint64_t timestamp)
{
	struct named n = {.known = false};

	n.known = timestamp &&
		  csg_guest_thread_at(facts, vm, host_tid, timestamp, &n.who) == CSG_REASON_NONE;
	return n;
}

/* b says who ran as well. */
static void join(struct named *a, const struct named *b)
{
	a->conflict |= b->conflict || (a->known && b->known &&
				       (a->who.tid != b->who.tid || a->who.pid != b->who.pid));
	if (!a->known)
		a->who = b->who;
	a->known |= b->known;
}

/* What one switch of threads away from a time slice says of the one beside it. */
static void pass(const struct csg_switches *switches, const struct named *from, bool back,
		 struct named *to)
{
	struct named other = *from;

	if (!from->known || from->conflict || !csg_switches_step(switches, back, &other.who))
		return;
	join(to, &other);
}

static void put(const struct named *named, struct csg_attribution_guest_time_slice *slice)
{
	const bool agrees =
		!named->conflict && (slice->tid == CSG_PID_UNKNOWN || slice->tid == named->who.tid);

	if (!named->known && !named->conflict)
		return;
	slice->pid = agrees ? named->who.pid : CSG_PID_UNKNOWN;
	slice->tid = agrees ? named->who.tid : CSG_PID_UNKNOWN;
	slice->reason = agrees ? CSG_REASON_NONE : CSG_REASON_CONFLICT;
}

int csg_slice_stamps_name(const struct csg_slice_stamps *s, const struct csg_facts *facts,
			  int32_t vm, struct csg_attribution_guest_time_slice *slices, size_t n)
{
	const struct csg_facts_machine *guest = csg_facts_find(facts, vm);
	struct named *named;

	if (s->back || !guest || !n)
		return 0;
	named = calloc(n, sizeof(*named));
	if (!named)
		return -CSG_E_NO_MEMORY;
	for (size_t i = 0; i < n; i++) {
		const struct named last =
			at_stamp(facts, vm, slices[i].host_tid, s->slices[i].last);

		named[i] = at_stamp(facts, vm, slices[i].host_tid, s->slices[i].first);
		join(&named[i], &last);
	}
	for (size_t i = 1; i < n; i++)
		if (slices[i - 1].switches)
			pass(&guest->switches, &named[i - 1], false, &named[i]);
	for (size_t i = n; i-- > 1;)
		if (slices[i - 1].switches)
			pass(&guest->switches, &named[i], true, &named[i - 1]);
	for (size_t i = 0; i < n; i++)
		put(&named[i], &slices[i]);
	free(named);
	return 0;
}
