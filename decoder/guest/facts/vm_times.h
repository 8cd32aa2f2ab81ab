/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * When a VM, or a thread of it, may have run by the host's switch records
 * (guest/facts/residency.h), in ticks of the counter.
 */
#ifndef DECODER_GUEST_FACTS_VM_TIMES_H
#define DECODER_GUEST_FACTS_VM_TIMES_H

#include "clock/fit.h"
#include "guest/facts/facts.h"

/* Whose on-CPU intervals are meant: those of one thread, or of all that may run a vCPU of vm. */
struct csg_vm_times_of {
	int32_t vm;
	int32_t tid;   /* CSG_PID_UNKNOWN: all */
	bool unlisted; /* of all: those that no source says to run a vCPU */
};

struct csg_vm_times {
	struct csg_fit_time *times; /* apart, in order; free() */
	size_t count, capacity;
	uint64_t begin, end; /* what all CPUs' records cover */
};

/* While those threads were on a CPU, and while anybody may have been.  -CSG_E_NO_MEMORY. */
int csg_vm_times_make(const struct csg_facts *facts, const struct csg_vm_times_of *of,
		      struct csg_vm_times *times);

/* Whether what a guest did between two values of its counter lies in what the records cover. */
bool csg_vm_times_cover(const struct csg_vm_times *times, const struct csg_offset *offset,
			uint64_t low, uint64_t high);

/* Between which values a guest's counter stood when a record of its says ns. */
void csg_vm_times_counter(const struct csg_attribution_clock *clock, uint64_t ns, uint64_t *low,
			  uint64_t *high);

#endif
