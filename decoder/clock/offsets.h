/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counter offsets: CNTVOFF_EL2 of each VM, as an interval on a timeline.
 *
 * A guest's virtual counter is the physical one less CNTVOFF_EL2.  KVM sets it when the VM's last
 * vCPU is made, so it is nearly unique; a VMM that migrates, restores or resumes a VM changes it
 * (KVM_ARM_SET_COUNTER_OFFSET, KVM_REG_ARM_TIMER_CNT).  Nobody states it: it is bounded by
 * observations, each of which holds the true value for as long as it lasted:
 *
 *	trace	the trace's own timestamps go back by it at vcpu_load and forward at vcpu_put
 *		(clock/stamps.h)
 *	events	what a guest recorded can only have happened while one of its vCPUs was resident
 *		(clock/fit.h)
 *	user	--guest NAME,offset=TICKS: it counts until an observation contradicts it
 *
 * A VM's timeline is a row of periods.  Observations that agree make one period, the intersection
 * of all of them; one that agrees with neither neighbour is a change, and begins another.  One
 * that disagrees within a period, where others agree before and after it, contradicts it: its
 * offset is unknown then.
 *
 * What the user says stands in place of the timeline.  What is observed is kept beside it, and
 * takes its place with the first contradiction.
 *
 * Times are of the physical counter, in ticks.  Offsets are signed: a VM that was restored on a
 * host with a younger counter has a negative one.
 */
#ifndef DECODER_CLOCK_OFFSETS_H
#define DECODER_CLOCK_OFFSETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/offset.h"
#include "csguest/time_conv.h"

struct csg_offset_vm {
	int32_t vm;			   /* perf's machine_pid */
	struct csg_offset_period *periods; /* by time, none overlaps another */
	size_t count, capacity;
	uint64_t compared;	     /* bounded observations by csg_offsets_compare() */
	uint64_t agreements;	     /* observations that agreed with a period */
	uint64_t contradictions;     /* observations that disagreed where no change can have been */
	struct csg_offset_vm *shown; /* while what the user said counts: the timeline without it */
	bool refuted;		     /* the user said `said`, and `evidence` was seen */
	int64_t said;
	struct csg_offset_period evidence;
};

/* All zero: nothing is known. */
struct csg_offsets {
	struct csg_offset_vm *vms; /* in the order in which they were met */
	size_t count, capacity;
};

void csg_offsets_fini(struct csg_offsets *offsets);

/*
 * Takes an observation of vm's offset, or what the user says of it (CSG_OFFSET_BY_USER: low and
 * high are that, it lasts for all time); seen->contradicted is ignored.  One without a lower or
 * upper bound tightens a period, but does not make it last longer.  0 or -CSG_E_NO_MEMORY.
 */
int csg_offsets_observe(struct csg_offsets *offsets, int32_t vm,
			const struct csg_offset_period *seen);

/*
 * The same, and *agrees says how it compares with those before: 1 as they have it, -1 a
 * contradiction, 0 there was none, or the offset changed, or it has a bound on one side only.  What
 * was observed without this function, by whoever looks ahead at the same trace, is none before.
 */
int csg_offsets_compare(struct csg_offsets *offsets, int32_t vm,
			const struct csg_offset_period *seen, int *agrees);

/*
 * The offset of vm at time: false where it is not known.  Before its first and after its last
 * period it is taken to be as there; between two periods it changes, and is not known.
 */
bool csg_offsets_find(const struct csg_offsets *offsets, int32_t vm, uint64_t time,
		      struct csg_offset *offset);

/* The same without what the user said: for whoever observes, so that nothing rests on that. */
bool csg_offsets_find_shown(const struct csg_offsets *offsets, int32_t vm, uint64_t time,
			    struct csg_offset *offset);

/*
 * Between which times (ns) of a machine with this clock a VM's counter had a value, by its offset;
 * as csg_time_conv_to_ns() where a clock is not valid.
 */
void csg_offset_times(const struct csg_offset *offset, const struct csg_time_conv *host,
		      uint64_t counter, uint64_t *low, uint64_t *high);

/* The timeline of vm, or NULL. */
const struct csg_offset_vm *csg_offsets_of(const struct csg_offsets *offsets, int32_t vm);

#endif
