/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What this library's own session states to an attribution beside the facts of
 * csguest/attribution.h.  How they are kept (guest/facts/) is nobody's affair outside of guest/.
 */
#ifndef DECODER_GUEST_ATTRIBUTION_H
#define DECODER_GUEST_ATTRIBUTION_H

#include "csguest/attribution.h"
#include "csguest/contradiction.h"
#include "util/disk_memory.h"

/*
 * Where to keep what grows with the recording; it must live as long.  Before anything is stated.
 */
void csg_attribution_use_memory(struct csg_attribution *attribution,
				struct csg_disk_memory *memory);

/*
 * On this CPU sources contradict each other about the level of the guest that runs from index on,
 * in a piece of trace that begins at time (host perf time, ns).  -CSG_E_NO_MEMORY.
 */
int csg_attribution_levels_conflict(struct csg_attribution *attribution, int32_t cpu,
				    uint64_t index, uint64_t time);

/* Somebody else has found this contradiction.  -CSG_E_NO_MEMORY. */
int csg_attribution_contradict(struct csg_attribution *attribution,
			       const struct csg_contradiction *one);

/* vm can have no guests, as KVM gave its vCPUs no vEL2: it is at level 1.  -CSG_E_NO_MEMORY. */
int csg_attribution_plain_vm(struct csg_attribution *attribution, int32_t vm);

/* The user says that vm runs a guest with this number (csg_owner.nested).  -CSG_E_NO_MEMORY. */
int csg_attribution_nested_said(struct csg_attribution *attribution, int32_t vm, int32_t nested);

/*
 * Whether a process (a PID; CSG_PID_UNKNOWN: any) of vm may ever have had something at an address:
 * user code elsewhere is not its (guest/code_check.h).  Asked from any stream.
 */
void csg_attribution_use_code(struct csg_attribution *attribution,
			      bool (*may_have)(void *arg, int32_t vm, int32_t pid,
					       uint64_t address),
			      void *arg);

/* For whoever reads the vCPU table before the first stream: csg_vcpus_settle(). */
void csg_attribution_settle_vcpus(struct csg_attribution *attribution);

/*
 * For whoever looks for the time slices of guests' threads: finds what they are compared with
 * (csg_guest_time_slices_prepare()).  A stream was created.  -CSG_E_NO_MEMORY.
 */
int csg_attribution_prepare_guest_time_slices(struct csg_attribution *attribution);

/*
 * Xen's list has a VMID for a domain's; disputed: for several, or not all the time
 * (guest/facts/domains.h).  Before the first event.  -CSG_E_NO_MEMORY.
 */
int csg_attribution_domain(struct csg_attribution *attribution, uint32_t vmid, bool disputed);

/* The user says whose this VMID is, whatever the list has.  -CSG_E_NO_MEMORY. */
int csg_attribution_domain_said(struct csg_attribution *attribution, uint32_t vmid);

#endif
