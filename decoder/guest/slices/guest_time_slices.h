/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The time slices of a guest's threads, found without the trace's clock: guest/slices/time_slices.h
 * once more, inside a guest.
 *
 * While a vCPU runs, its guest's kernel executes cpu_switch_to once for each switch of its threads,
 * and writes one pair of switch records in the guest's own recording.  Time slices that the trace
 * shows without a loss are as many intervals of the guest's in a row, of which all are tried; a
 * time slice whose thread is the same in all that remain is that thread's.
 *
 * What distinguishes them is when they can have been.  The order of the host's switches says in
 * which of its thread's on-CPU intervals a vCPU ran here (struct csg_time_slice_time), so each of
 * the guest's switches lies in one; and what a guest recorded happened while its vCPUs' threads
 * were on a CPU, which by itself gives the offset between the two machines' times to some
 * microseconds (guest/facts/guest_offset.h).  Both are the machines' own clocks; that of the trace
 * is not asked, but where it may be lost (its breaks). Without that offset, or if guest records may
 * be missing in the time that the time slices lie in, nobody is named: the row might be another.
 */
#ifndef DECODER_GUEST_SLICES_GUEST_TIME_SLICES_H
#define DECODER_GUEST_SLICES_GUEST_TIME_SLICES_H

#include "guest/facts/facts.h"
#include "guest/facts/when.h"
#include "guest/slices/time_slices.h"

/*
 * Finds what time slices of guests are compared with: the offsets of all guests that recorded
 * something, and which vCPUs their CPUs are.  Facts are sealed.  0 or -CSG_E_NO_MEMORY.
 */
int csg_guest_time_slices_prepare(struct csg_facts *facts);

/* Whether time slices of vm's guest can be found. */
bool csg_guest_time_slices_tell(const struct csg_facts *facts, int32_t vm);

/* Between which host times vm's counter had a value; false: not known. */
bool csg_guest_time_slices_when(const struct csg_facts *facts, int32_t vm, uint64_t counter,
				uint64_t *low, uint64_t *high);

/*
 * Finds the threads of all time slices that the vCPU of a host's thread has shown in a piece of
 * trace, between two host times; times to be met are the host's.  Leaves the reason for those that
 * stay unknown.  0 or -CSG_E_NO_MEMORY.
 */
int csg_guest_time_slices_match(struct csg_time_slices *slices, const struct csg_facts *facts,
				int32_t vm, int32_t host_tid, uint64_t from, uint64_t until,
				enum csg_reason *reason);

/* Why the thread of time slice i is not known; reason is what matching left. */
enum csg_reason csg_guest_time_slice_reason(const struct csg_time_slices *slices, size_t i,
					    enum csg_reason reason);

/*
 * Completes the process of a guest's segment by the time slice in which it lies, where the chunk
 * comes with time slices of guests.  A segment of a kernel in which it switches stays unknown.
 */
void csg_owner_by_guest_time_slice(const struct csg_facts *facts, const struct csg_when *when,
				   struct csg_owner *owner);

/*
 * Whether the time slice of the vCPU that the trace at index lies in names its thread; *next
 * gets where it ends, or where the next time slice begins, UINT64_MAX: nowhere.
 */
bool csg_guest_time_slice_at(const struct csg_when *when, int32_t host_tid, uint64_t index,
			     uint64_t *next);

#endif
