/* SPDX-License-Identifier: BSD-3-Clause */
/* What an attribution knows, for those inside this library who show it. */
#ifndef DECODER_GUEST_FACTS_ATTRIBUTION_FACTS_H
#define DECODER_GUEST_FACTS_ATTRIBUTION_FACTS_H

#include "guest/facts/facts.h"

/* As long as the attribution, which goes on learning. */
const struct csg_facts *csg_attribution_facts(const struct csg_attribution *attribution);

/*
 * Where to keep what grows with the recording; it must live as long.  Before anything is stated.
 */
void csg_attribution_use_memory(struct csg_attribution *attribution,
				struct csg_disk_memory *memory);

/* Lets go of what is resident of it; now and then, from any stream. */
void csg_attribution_trim(const struct csg_attribution_stream *stream);

/*
 * What the stream shows of assumptions counts (csguest/assumption.h): of one of those that look
 * ahead at the same trace it would count twice.  Before its first piece.
 */
void csg_attribution_counts_findings(struct csg_attribution_stream *stream);

/*
 * Between which host perf times (ns; 0: no bound) the timestamp at index was sent, as far as is
 * known by now.
 */
void csg_attribution_time_bounds(struct csg_attribution_stream *stream, uint64_t index,
				 uint64_t *low, uint64_t *high);

/* An ERET led to el n times, first at index, at this host time (ns; 0 unknown). */
struct csg_entries {
	uint64_t eret, index, time, n;
	uint8_t el; /* enum csg_el */
};

/* csg_attribution_learn_entry() of them, to segments of owner. */
void csg_attribution_learn_entries(struct csg_attribution_stream *stream,
				   const struct csg_entries *entries,
				   const struct csg_owner *owner);

/*
 * For whoever shows counter offsets when all of the trace has been read: narrows them by what
 * guests recorded (csg_guest_narrow()).  -CSG_E_NO_MEMORY.
 */
int csg_attribution_narrow_offsets(struct csg_attribution *attribution);

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
