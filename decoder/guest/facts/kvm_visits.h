/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Visits: what kvm:kvm_entry and kvm:kvm_exit tell of a thread's visits to its guest, and whether
 * the trace shows them.
 *
 * KVM tells kvm_entry with the vCPU's PC, runs the vCPU, and tells kvm_exit with the PC where it
 * was left; between the two nothing else runs in the thread but interrupts, and it is not
 * preempted.  The ERET into the guest that belongs to an entry goes
 *
 *	to the PC, or after the instruction there, which KVM has emulated and skips on the way in
 *	to a vector, for an exception that KVM brings the guest
 *
 * and the exception that belongs to an exit has the PC for its preferred return address.  But a
 * visit may show
 *
 *	several entries and exits: the fast path (fixup_guest_exit()) enters again without any event
 *	none: an interrupt that is pending keeps __guest_enter() from entering
 *
 * so that of an exit for a trap some exception shows, of one for an interrupt where the PC has
 * moved, and of others nothing needs to.  Exceptions that no event tells may always be there:
 * events get lost, are sampled, or filtered, without a trace.  So what can be asked of the trace is
 * that it shows what was reported, in order.
 *
 * What was reported is untrusted where a thread does not tell entries and exits in turn, on one
 * CPU, and an entry does not go on where the exit before it was.
 */
#ifndef DECODER_GUEST_FACTS_KVM_VISITS_H
#define DECODER_GUEST_FACTS_KVM_VISITS_H

#include "csguest/attribution.h"

struct csg_kvm_visit {
	uint64_t entered, left; /* host perf times, ns: of kvm_entry and kvm_exit */
	uint64_t entry, exit;	/* vcpu_pc of both */
	int32_t cpu, tid;
	uint32_t esr_ec;
	bool trap;     /* left for a trap; else for an interrupt, or it need not show */
	bool shows;    /* it cannot have been without an exception */
	bool untrusted;	/* and so is what lies around it */
};

/* All zero: nothing was reported. */
struct csg_kvm_visits {
	struct csg_attribution_kvm_event *events; /* until sealed */
	size_t event_count, event_capacity;
	struct csg_kvm_visit *visits; /* sorted by CPU and time */
	size_t count, capacity;
};

void csg_kvm_visits_fini(struct csg_kvm_visits *visits);

/* In any order.  0 or -CSG_E_NO_MEMORY. */
int csg_kvm_visits_add(struct csg_kvm_visits *visits,
		       const struct csg_attribution_kvm_event *event);

/* Makes visits of the events that were added.  0 or -CSG_E_NO_MEMORY. */
int csg_kvm_visits_seal(struct csg_kvm_visits *visits);

/* Those on cpu, in order; *n gets how many. */
const struct csg_kvm_visit *csg_kvm_visits_on(const struct csg_kvm_visits *visits, int32_t cpu,
					      size_t *n);

/* The border between EL2 and what is below it, be it a guest or the host's EL0, as the trace shows
 * it. */
struct csg_border_sight {
	uint64_t address; /* where to, or the preferred return address */
	uint8_t number;	  /* TYPE of the exception packet */
	bool entry;	  /* into EL1 or EL0; else an exception to EL2 */
	bool known;	  /* else the address is not */
};

/* What exits prove that were reported and shown: those that never differ in their address prove
 * nothing. */
struct csg_kvm_proof {
	uint64_t exit; /* the last one's */
	bool any, differ;
};

/* Whether one of n sights may be the entry of the visit, or its exit. */
bool csg_kvm_visit_shows(const struct csg_kvm_visit *visit, bool entry,
			 const struct csg_border_sight *sights, size_t n);

/* Whether the trace shows all of n visits that need to, in order; *proof gets their exits as
 * well. */
bool csg_kvm_visits_show(const struct csg_kvm_visit *visits, size_t n,
			 const struct csg_border_sight *sights, size_t sight_count,
			 struct csg_kvm_proof *proof);

#endif
