/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Untraced time: who had a CPU of the host while there is no trace of it, as between windows, or
 * while a guest ran whose trace is switched off.
 *
 * A gap has no instructions, but it has time, and the host's own records say who had the CPU then:
 * PERF_RECORD_SWITCH_CPU_WIDE which thread, kvm:kvm_entry and kvm:kvm_exit whether a vCPU's thread
 * ran its guest.  Where records are missing, or contradict each other or the trace, nobody is
 * named.
 *
 *	uint64_t time = from;
 *	struct csg_untraced part;
 *
 *	while (time < until &&
 *	       csg_session_untraced(session, cpu, &gap, time, until, &part, sizeof(part)) == 0) {
 *		... csg_session_owner(session, part.owner) had the CPU until part.until
 *		time = part.until;
 *	}
 */
#ifndef CSGUEST_UNTRACED_H
#define CSGUEST_UNTRACED_H

#include "csguest/session.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* A part of untraced time with one owner. */
struct csg_untraced {
	size_t size;
	uint64_t from, until; /* host perf times, ns; from < until */
	/*
	 * Its number, csg_session_owner().  The exception level is not known, of a guest neither
	 * process nor thread is.  Its world may be unknown and vm and vcpu known: a vCPU's thread
	 * had the CPU, and whether it ran the guest is not known (CSG_REASON_NO_KVM_EVENT).  The
	 * evidence is CSG_EVIDENCE_RESIDENCY and CSG_EVIDENCE_KVM_EVENTS.
	 */
	uint32_t owner;
};

/*
 * Who had a CPU of the host from one host perf time (ns) on, and until when, at most until `until`;
 * *part, of which the caller knows size bytes.  gap is the GAP element for which there is no trace,
 * as it was handed out; NULL: none is known.  Without VHE, one at EL2 (el) is a call of the
 * hypervisor's EL2, which is not traced: the owner is the hypervisor, but in a CSG_GAP_GUEST from
 * kvm:kvm_entry to kvm:kvm_exit, where it is the guest.  A gap in which a record says that the host
 * ran, long after its begin and before its end, is more than that call: its caller sets el to
 * CSG_EL_UNKNOWN, and gap to CSG_GAP_TRACE_ON.
 *
 * Of one CPU it takes time that grows with the logarithm of the records.  0, -CSG_E_USAGE (also
 * where from is not before until), -CSG_E_NO_MEMORY.
 */
int csg_session_untraced(struct csg_session *session, int32_t cpu, const struct csg_element *gap,
			 uint64_t from, uint64_t until, struct csg_untraced *part, size_t size);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
