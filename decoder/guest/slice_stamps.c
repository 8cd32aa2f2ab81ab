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

void csg_slice_stamps_see(struct csg_slice_stamps *s, uint64_t timestamp, bool names)
{
	if (!s->open.any_first)
		s->open.any_first = timestamp;
	s->open.any_last = timestamp;
	if (!names)
		return;
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
	bool own;  /* by its own timestamps */
	bool lost; /* a switch was lost in it, or beside it */
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

static void forget(struct csg_attribution_guest_time_slice *slice)
{
	slice->pid = slice->tid = CSG_PID_UNKNOWN;
	slice->reason = CSG_REASON_CONFLICT;
}

static void put(const struct named *named, struct csg_attribution_guest_time_slice *slice)
{
	if (named->conflict || named->lost ||
	    (named->known && slice->tid != CSG_PID_UNKNOWN && slice->tid != named->who.tid)) {
		forget(slice);
	} else if (named->known) {
		slice->pid = named->who.pid;
		slice->tid = named->who.tid;
		slice->reason = CSG_REASON_NONE;
	}
}

/* Whether a timestamp is another thread's than the time slice. */
static bool refutes(const struct csg_facts *facts, int32_t vm, uint64_t timestamp,
		    const struct csg_attribution_guest_time_slice *slice)
{
	const struct named n = at_stamp(facts, vm, slice->host_tid, timestamp);

	return slice->tid != CSG_PID_UNKNOWN && n.known && n.who.tid != slice->tid;
}

/*
 * Where timestamps refute who a time slice is of, switches do not say who the others of its row are
 * of: one that was lost puts them in another place.
 */
static void check_rows(const struct csg_slice_stamps *s, const struct csg_facts *facts, int32_t vm,
		       struct named *named, struct csg_attribution_guest_time_slice *slices,
		       size_t n)
{
	for (size_t i = 0, next; i < n; i = next) {
		bool refuted = false, is;

		next = i;
		do {
			is = refutes(facts, vm, s->slices[next].any_first, &slices[next]) ||
			     refutes(facts, vm, s->slices[next].any_last, &slices[next]);
			named[next].conflict |= is;
			refuted |= is;
		} while (slices[next++].switches && next < n);
		for (size_t k = i; refuted && k < next; k++) {
			named[k].known &= named[k].own;
			if (slices[k].tid != CSG_PID_UNKNOWN)
				forget(&slices[k]);
		}
	}
}

/* Who ran in each time slice as its own timestamps have it. */
static void name_by_stamps(const struct csg_slice_stamps *s, const struct csg_facts *facts,
			   int32_t vm, const struct csg_attribution_guest_time_slice *slices,
			   struct named *named, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct named last =
			at_stamp(facts, vm, slices[i].host_tid, s->slices[i].last);

		named[i] = at_stamp(facts, vm, slices[i].host_tid, s->slices[i].first);
		join(&named[i], &last);
		named[i].own = named[i].known;
	}
}

/* As those beside it have it. */
static void name_by_neighbours(const struct csg_switches *switches,
			       const struct csg_attribution_guest_time_slice *slices,
			       struct named *named, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (slices[i - 1].switches)
			pass(switches, &named[i - 1], false, &named[i]);
	for (size_t i = n; i-- > 1;)
		if (slices[i - 1].switches)
			pass(switches, &named[i], true, &named[i - 1]);
}

/* Up to the next that its own timestamps name, that one included, or to the end of the row. */
static size_t next_own(const struct csg_attribution_guest_time_slice *slices,
		       const struct named *named, size_t n, size_t i)
{
	while (i + 1 < n && slices[i].switches && !named[++i].own)
		;
	return i;
}

/*
 * Where two time slices that their own timestamps name do not fit each other by the switches in
 * between, one was lost in one of them or between them: all of these are nobody's.
 */
static void find_lost(const struct csg_attribution_guest_time_slice *slices, struct named *named,
		      size_t n)
{
	size_t i = 0;

	while (i < n) {
		const size_t last = next_own(slices, named, n, i);
		const size_t next = slices[last].switches ? last : last + 1;
		bool conflict = false;

		for (size_t k = i; k <= last; k++)
			conflict |= named[k].conflict;
		for (size_t k = i; conflict && k <= last; k++)
			named[k].lost = true;
		i = next > i ? next : i + 1;
	}
}

int csg_slice_stamps_name(const struct csg_slice_stamps *s, const struct csg_facts *facts,
			  int32_t vm, struct csg_attribution_guest_time_slice *slices, size_t n)
{
	const struct csg_facts_machine *guest = csg_facts_find(facts, vm);
	struct named *named;

	if (!guest || !n)
		return 0;
	named = calloc(n, sizeof(*named));
	if (!named)
		return -CSG_E_NO_MEMORY;
	if (!s->back) {
		name_by_stamps(s, facts, vm, slices, named, n);
		name_by_neighbours(&guest->switches, slices, named, n);
		find_lost(slices, named, n);
	}
	/* First whom the order names, then whom their neighbours' timestamps do. */
	for (unsigned int times = 0; times < 2; times++) {
		check_rows(s, facts, vm, named, slices, n);
		for (size_t i = 0; i < n; i++)
			put(&named[i], &slices[i]);
	}
	free(named);
	return 0;
}
