/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which process of its guest ran a guest's segment.  Two sources of evidence:
 *
 *   CONTEXTIDR_EL1   the guest's kernel writes the thread there (CONFIG_PID_IN_CONTEXTIDR); counts
 *                    where the guest's sideband knows a thread of that number
 *   guest sideband   the guest's own switch records, on the CPU that is the vCPU
 *                    (guest/facts/guest_cpus.h).  The trace's timestamps are the guest's counter
 *                    while its vCPU is loaded, so they compare directly: a
 *                    segment is a thread's if no other can have been switched in between the
 *                    timestamps around it.  At EL0 nothing is switched, so one timestamp inside is
 *                    enough.
 *
 * Where they name different threads, the process is unknown.  Records that have user code switched
 * in the middle contradict the trace.  If the others happened while the guest's vCPUs ran
 * (guest/facts/guest_fit.h) one of them is wrong there; else they are of another guest, or the
 * timestamps of another counter, and none counts any more.  More switches than one wrong record
 * makes contradict the segment alone: trace is missing in it, and nothing says so.  So it is where
 * the path of its code shows that (guest/losses.h).
 */
#ifndef DECODER_GUEST_GUEST_PROCESS_H
#define DECODER_GUEST_GUEST_PROCESS_H

#include "guest/facts/facts.h"
#include "guest/facts/when.h"
#include "guest/pending.h"

/*
 * The thread of a vCPU that ran at a raw timestamp sent while its guest's kernel, or user code,
 * did: NONE with *who, or why it is not known.  facts: csg_guest_cpus_look() was called for the
 * guest.
 */
enum csg_reason csg_guest_thread_at(const struct csg_facts *facts, int32_t vm, int32_t host_tid,
				    uint64_t timestamp, struct csg_ran_from *who);

/*
 * owner is a guest's with its VM and vCPU; owner->tid what CONTEXTIDR_EL1 says, if anything.  0 or
 * -CSG_E_NO_MEMORY.
 */
int csg_guest_process(struct csg_facts *facts, const struct csg_when *when,
		      const struct csg_guest_span *span, struct csg_owner *owner);

#endif
