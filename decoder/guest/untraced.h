/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who had a CPU of the host while it was not traced, by the host's records alone.
 *
 * - An on-CPU interval (guest/facts/residency.h) of a thread that runs no vCPU: the host, if KVM's
 *   events are recorded, which show every thread that runs one; else that thread, in which world is
 *   not known.
 * - Between two intervals, where the records name each other: the host's scheduler.
 * - An interval of a thread that may run a vCPU:
 *   - from kvm:kvm_entry to the kvm:kvm_exit that follows (guest/facts/kvm_visits.h), for a trap:
 *     the guest;
 *   - the same, for an interrupt: the guest, then the interrupt's handler in the host;
 *   - elsewhere, if such events of the same interval lie next to it: the host;
 *   - no event of KVM's in the interval, or one without its other half: not known.
 * - Anything else: records are missing, or contradict each other: not known.
 *
 * KVM reports kvm_entry 1 to 2 us before the guest is entered, and kvm_exit 1 to 2 us after it was
 * left.  In between it lets pending interrupts in (kvm_arch_vcpu_ioctl_run()): until when a guest
 * ran that was left for one is not known, so only its VM and vCPU are.
 */
#ifndef DECODER_GUEST_UNTRACED_H
#define DECODER_GUEST_UNTRACED_H

#include "guest/facts/facts.h"

struct csg_untraced_span {
	uint64_t from, until;	/* host perf times, ns */
	struct csg_owner owner; /* el is not known; of a guest neither process nor thread is */
};

/* What the trace shows of a gap. */
enum csg_untraced_gap {
	CSG_UNTRACED_ANY,   /* nothing */
	CSG_UNTRACED_GUEST, /* EL2, of which there is no trace, and what is below it */
	CSG_UNTRACED_EL2,   /* EL2 alone */
};

/*
 * Who had the CPU at from, and until when, not after until; from < until.  Facts are sealed.  With
 * VHE the host's kernel is at EL2, and a gap shows nothing.  True: the owner's world is known.
 */
bool csg_untraced_at(const struct csg_facts *facts, int32_t cpu, enum csg_untraced_gap gap,
		     uint64_t from, uint64_t until, struct csg_untraced_span *span);

#endif
