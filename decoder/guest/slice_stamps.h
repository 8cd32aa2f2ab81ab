/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Timestamps inside the time slices of a vCPU (guest/guest_time_slice_watch.h).
 *
 * No thread is switched in a time slice, so whoever ran at one of its timestamps, by the guest's
 * own switch records, ran all of it: also what lies before the first and after the last timestamp
 * of a window of trace.  The timestamps are the guest's counter, as guest/guest_process.h has it.
 *
 * Where one switch of threads lies between two time slices, the thread of the one is the next of
 * the other's in the guest's switch records.
 *
 * Two timestamps at which different threads ran contradict each other.  If those of a vCPU go back,
 * trace is missing or out of order, and none of that piece of trace counts.
 *
 * A silent loss may have a switch in it.  The path shows it: what the trace says next is not where
 * the code before the loss leads (csg_flow_code.checks_path), and that ends a time slice as a
 * marked loss does.
 *
 * A timestamp whose upper bits were not sent is too low if a loss went before it
 * (guest/time_blocks.h).  It names nobody.  But where it is another thread's than the order of
 * switches has there, trace was lost either way, and the order names none of the time slices in
 * that row.
 */
#ifndef DECODER_GUEST_SLICE_STAMPS_H
#define DECODER_GUEST_SLICE_STAMPS_H

#include "guest/facts/facts.h"
#include "guest/facts/switches.h"

/* Raw timestamps; 0: none. */
struct csg_slice_stamp {
	uint64_t first, last;	      /* that name threads */
	uint64_t any_first, any_last; /* of all */
};

/* Of one vCPU in one piece of trace; all zero: none. */
struct csg_slice_stamps {
	struct csg_slice_stamp *slices; /* of each time slice, in order */
	size_t count, capacity;
	struct csg_slice_stamp open; /* of the current time slice */
	uint64_t latest;
	bool back; /* one was lower than the one before it */
};

void csg_slice_stamps_fini(struct csg_slice_stamps *stamps);

/*
 * A timestamp that was sent while the current time slice ran; names: it is right whatever was lost
 * before.
 */
void csg_slice_stamps_see(struct csg_slice_stamps *stamps, uint64_t timestamp, bool names);

/* The current time slice is over; counts: as one more of the list.  0 or -CSG_E_NO_MEMORY. */
int csg_slice_stamps_end(struct csg_slice_stamps *stamps, bool counts);

/*
 * Names the threads of n time slices of a VM's vCPU, which are those of the list, in order: sets
 * pid, tid and reason.  Where another source has named another thread nobody is named, and the
 * reason is a conflict.  0 or -CSG_E_NO_MEMORY.
 */
int csg_slice_stamps_name(const struct csg_slice_stamps *stamps, const struct csg_facts *facts,
			  int32_t vm, struct csg_attribution_guest_time_slice *slices, size_t n);

#endif
