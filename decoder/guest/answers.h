/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the rest of this library asks of an attribution beside csguest/attribution.h.  The answers
 * are as of now: streams go on learning.
 */
#ifndef DECODER_GUEST_ANSWERS_H
#define DECODER_GUEST_ANSWERS_H

#include "base/contradictions.h"
#include "base/findings.h"
#include "clock/offsets.h"
#include "csguest/attribution.h"
#include "csguest/machine.h"
#include "guest/untraced.h"

/* Where sources contradict each other, and what was found of assumptions. */
const struct csg_contradictions *
csg_attribution_contradictions(const struct csg_attribution *attribution);
const struct csg_findings *csg_attribution_findings(const struct csg_attribution *attribution);

/* One who asks has found n places that confirm or contradict an assumption, of which place is the
 * first. */
void csg_attribution_found(struct csg_attribution *attribution, enum csg_assumption assumption,
			   bool confirmed, uint64_t n, const struct csg_assumption_place *place);

/* --- owners --- */

/*
 * Of an owner in a guest its VM; of one in the host the VM that its thread works for: it runs a
 * vCPU of it, or is another thread of its VMM.  0: none; CSG_VM_UNKNOWN.
 */
int32_t csg_attribution_vm_of(const struct csg_attribution *attribution,
			      const struct csg_owner *owner);

/* Whether timestamps are the physical counter for certain while owner runs. */
bool csg_attribution_is_physical_time(const struct csg_attribution *attribution,
				      const struct csg_owner *owner);

/* Which of the processes that had the PID had it at a host time (ns): csg_process_number(). */
int32_t csg_attribution_process_number(const struct csg_attribution *attribution, int32_t pid,
				       uint64_t time);

/* --- the host's CPUs, by its switch records, once a stream was created --- */

/* How many on-CPU intervals of a CPU there are, and the one with this index, which is below. */
size_t csg_attribution_interval_count(const struct csg_attribution *attribution, int32_t cpu);
struct csg_interval csg_attribution_interval(const struct csg_attribution *attribution, int32_t cpu,
					     size_t index);

/*
 * Whether they leave room for a vCPU of vm to have been on cpu between two times (ns; 0: not
 * known).
 */
bool csg_attribution_may_run(const struct csg_attribution *attribution, int32_t cpu, uint64_t from,
			     uint64_t until, int32_t vm);

/* Who had a CPU that was not traced: csg_untraced_at(). */
void csg_attribution_untraced(const struct csg_attribution *attribution, int32_t cpu,
			      enum csg_untraced_gap gap, uint64_t from, uint64_t until,
			      struct csg_untraced_span *span);

/* --- guests --- */

/* Whether there are signs of guests in the recording, or in the trace so far. */
bool csg_attribution_shows_guests(const struct csg_attribution *attribution);

/* Whether a guest shows that it has guests of its own. */
bool csg_attribution_shows_nested(const struct csg_attribution *attribution);

/*
 * Whether guests of guests were found in the trace, so that the levels that are known are stated.
 */
bool csg_attribution_states_levels(const struct csg_attribution *attribution);

/* Whether switches that a guest recorded are stated.  Once a stream was created. */
bool csg_attribution_has_guest_switches(const struct csg_attribution *attribution);

/*
 * Whether vm's records are in the host's recording (csg_attribution_clock.host_time), and all such
 * VMs, by index; 0: there are no more.
 */
bool csg_attribution_is_injected(const struct csg_attribution *attribution, int32_t vm);
int32_t csg_attribution_injected(const struct csg_attribution *attribution, size_t index);

/* The one counter offset that the trace, or the user, has of vm; false: none, or several. */
bool csg_attribution_known_offset(const struct csg_attribution *attribution, int32_t vm,
				  struct csg_offset *offset);

/* Where there is none, the one that the guest's records alone show. */
bool csg_attribution_recorded_offset(const struct csg_attribution *attribution, int32_t vm,
				     struct csg_offset *offset);

/*
 * Between which host times (ns) a guest's counter had a value, by its offset; false: the host's
 * clock is not known.
 */
bool csg_attribution_counter_times(const struct csg_attribution *attribution,
				   const struct csg_offset *offset, uint64_t counter, uint64_t *low,
				   uint64_t *high);

#endif
