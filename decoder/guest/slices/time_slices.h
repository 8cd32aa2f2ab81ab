/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Time slices: what one thread of the host did on a CPU from one switch of threads to the next,
 * found from the trace without any clock.
 *
 * Each switch runs the kernel's cpu_switch_to once, which the trace shows, and writes one pair of
 * switch records (guest/facts/residency.h).  So the time slices that were traced without a loss are
 * as many intervals of the sideband in a row, in the same order.  Which row is not known: all are
 * tried that lie between the times at which the piece of trace was recorded, and that can be:
 *
 *	the idle thread runs no guest, and nothing at EL0
 *	rows do not overlap: time slices after lost trace come after those before it
 *
 * A time slice whose thread is the same in all that remain is that thread's.  If records may be
 * missing in that time nothing is concluded, as the row may be among those.
 *
 * What KVM's events tell (guest/facts/kvm_visits.h) is a further evidence of a row.  Of a time
 * slice between two switches all is traced, so it shows the visits to guests that were reported in
 * its interval.  A row of which no place shows them contradicts the events, and it is nobody's.
 * Where several remain and just one shows them, with exits at two addresses or more, it is that
 * one.
 *
 * Where user code ran disproves a row (guest/slices/user_code.h).  What is disproved is nobody's,
 * and as trace was lost there, or before, the time slices before and after it need the events to be
 * named.
 */
#ifndef DECODER_GUEST_SLICES_TIME_SLICES_H
#define DECODER_GUEST_SLICES_TIME_SLICES_H

#include "csguest/attribution.h"
#include "guest/facts/kvm_visits.h"
#include "guest/facts/residency.h"
#include "guest/facts/vcpus.h"
#include "guest/slices/user_code.h"

/* What the trace shows of a time slice: a set. */
enum {
	CSG_TIME_SLICE_APART =
		1, /* trace is missing, or switches may be, between the one before and it */
	CSG_TIME_SLICE_USER = 2,  /* the host's EL0 ran */
	CSG_TIME_SLICE_GUEST = 4, /* a guest ran */
	/* Divided time slices (guest/slices/time_slice_breaks.h): */
	CSG_TIME_SLICE_GOES_ON = 8, /* it is the one before, which goes on */
	CSG_TIME_SLICE_BREAK = 16,  /* trace may be lost in it */
	CSG_TIME_SLICE_DOUBTFUL =
		32, /* of a guest: trace was lost in it, or soon after it, as time says */
	CSG_TIME_SLICE_TORN = 64, /* not all of it is one thread's, as user code says */
};

/* When a time slice was, ns of the machine whose thread it is. */
struct csg_time_slice_time {
	/* To be met: it had begun by then, and had not ended then.  UINT64_MAX and 0: at any
	 * time. */
	uint64_t begun_by, lasts_to;
	/* Found: what ran at EL1 or EL0 in it did so in between.  from > until: not known. */
	uint64_t from, until;
};

/* Between two timestamps that lie far apart (guest/slices/time_slice_breaks.h): bytes of the
 * trace. */
struct csg_time_slice_break {
	uint64_t from, until;
};

/* User code ran where the process that the order of switches names never had anything. */
struct csg_time_slice_disproof {
	uint64_t index, address;
	int32_t pid, tid;
};

/* All zero: none. */
struct csg_time_slices {
	struct csg_attribution_time_slice *slices; /* in order */
	uint8_t *shown;				   /* of each */
	struct csg_time_slice_time *times;	   /* of each */
	size_t count, capacity, shown_capacity, time_capacity;
	const struct csg_vcpus *vcpus; /* who can run a guest; NULL: anybody */
	bool unfit; /* what was matched last contradicts the records: there is no place for it */
	/* Until they are matched: what was seen at the guests' border, and up to where in each time
	 * slice. */
	struct csg_border_sight *sights;
	size_t *seen;
	size_t sight_count, sight_capacity, seen_capacity;
	struct csg_time_slice_break *breaks; /* in order */
	size_t break_count, break_capacity;
	/* The same: what user code they show; what that has disproved of those matched last. */
	struct csg_user_code code;
	struct csg_time_slice_disproof *disproofs;
	size_t disproof_count, disproof_capacity;
};

void csg_time_slices_fini(struct csg_time_slices *slices);

/* One more, of a thread that is not known, at any time.  0 or -CSG_E_NO_MEMORY. */
int csg_time_slices_add(struct csg_time_slices *slices, uint64_t begin, uint64_t end,
			uint8_t shown);

/* The border to EL1 or EL0 was passed in the time slice that is added next.  0 or
 * -CSG_E_NO_MEMORY. */
int csg_time_slices_sight(struct csg_time_slices *slices, const struct csg_border_sight *sight);

/* A break in the time slice that is added next, or before it.  0 or -CSG_E_NO_MEMORY. */
int csg_time_slices_break(struct csg_time_slices *slices, uint64_t from, uint64_t until);

/*
 * The time slice of n, in order, that all from index begin to before end lies in, or NULL.
 */
const struct csg_attribution_time_slice *
csg_time_slices_find(const struct csg_attribution_time_slice *slices, size_t n, uint64_t begin,
		     uint64_t end);

#endif
