/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The host thread of a segment by residency: whom the host's switch records put on the CPU while it
 * ran (guest/facts/residency.h).
 *
 *	no context ID	one thread was there all the time: it is that one's.  A guest's is that of
 *			the only vCPU thread that was there at all, if no other thread that was
 *			there may run a vCPU (csg_vcpus_may_run())
 *	a context ID	a thread was there all the time, and it is another, or several were, and it
 *			is none of them: they contradict each other, and whose the segment is is not
 *			known
 *
 *	ID 0		of the host's kernel, where other context IDs are traced: only the idle
 *			thread has it, so it is that one's if the idle thread may have been there,
 *			and all who may have been are known
 *
 * Where no time is known the order of switches may tell (guest/slices/time_slices.h).
 */
#ifndef DECODER_GUEST_RESIDENT_H
#define DECODER_GUEST_RESIDENT_H

#include "guest/facts/facts.h"
#include "guest/facts/when.h"

/*
 * Completes owner->host_tid, for the host tid and pid as well, or takes back what is contradicted,
 * which goes to the contradictions of the facts.  After one residency names nobody until it agrees
 * with the trace again (guest/facts/agreement.h).  0 or -CSG_E_NO_MEMORY.
 */
int csg_owner_by_residency(struct csg_facts *facts, const struct csg_when *when,
			   struct csg_owner *owner);

/* The same by the time slice in which it lies, where the chunk comes with time slices.  Comes
 * first. */
int csg_owner_by_order(struct csg_facts *facts, const struct csg_when *when,
		       struct csg_owner *owner);

/*
 * Whether the host's records leave room for a vCPU of vm to have been on cpu between two times
 * (host perf time, ns; 0: not known).
 */
bool csg_resident_may_run(const struct csg_facts *facts, int32_t cpu, uint64_t from, uint64_t until,
			  int32_t vm);

#endif
