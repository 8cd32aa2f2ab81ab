/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * EL0 that no packet tells a guest's from the host's, as in a window of trace that neither begins
 * nor ends at an exception: the timestamps in it do.
 *
 * KVM sets CNTVOFF_EL2 at vcpu_load and clears it at vcpu_put, before the thread returns to user
 * space.  So the VMM's user code is stamped with the physical counter, its guest with the virtual
 * one.  A timestamp that fits the one and cannot be the other (clock/stamps.h) says who ran, if
 *
 * - CONTEXTIDR_EL2 names the thread, and the vCPU table, by another source than the trace, says
 *   that it runs a vCPU; or no context ID is traced, and the switch records say of which VM alone
 *   vCPUs can have been on the CPU (guest/facts/host_clock.h);
 * - an atom follows it: the trace unit was tracing when it was sent;
 * - it is not that of the timestamp before: a unit that repeats an old one says nothing of now;
 * - this stream has shown that its guests are stamped with the virtual counter, and nothing else.
 */
#ifndef DECODER_GUEST_OPEN_USER_H
#define DECODER_GUEST_OPEN_USER_H

#include "guest/facts/facts.h"
#include "guest/facts/host_clock.h"
#include "guest/facts/when.h"
#include "guest/pending.h"

/* Whether timestamps may tell who ran the segment. */
bool csg_open_user_asks(const struct csg_facts *facts, const struct csg_pending_item *item);

/* What they tell. */
struct csg_open_user {
	enum csg_world world;	    /* HOST, GUEST, or UNKNOWN: nothing */
	struct csg_guest_span span; /* GUEST: those inside it */
	/*
	 * Host perf times, ns: it ran in between, and maybe before and after that, but at EL0 no
	 * other thread does.
	 */
	uint64_t from, until;
};

/* item is a segment that csg_open_user_asks() is true of. */
struct csg_open_user csg_open_user_tell(const struct csg_facts *facts, struct csg_host_clock *clock,
					const struct csg_when *when,
					const struct csg_pending_item *item);

#endif
