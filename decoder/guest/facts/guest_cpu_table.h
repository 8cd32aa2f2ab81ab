/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The CPUs of a guest that have recorded something, and what is known of which vCPU each is
 * (guest/facts/guest_cpus.h).
 */
#ifndef DECODER_GUEST_FACTS_GUEST_CPU_TABLE_H
#define DECODER_GUEST_FACTS_GUEST_CPU_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clock/offsets.h"

struct csg_guest_cpu {
	int32_t cpu;	   /* as the guest numbers it */
	int32_t namesake;  /* thread of the vCPU with that number, or CSG_PID_UNKNOWN */
	int32_t tid;	   /* the only thread that it can be, or CSG_PID_UNKNOWN */
	bool disputed;	   /* several are said to have that number */
	bool contradicted; /* it cannot be its namesake */
};

/* All zero: nothing was looked at. */
struct csg_guest_cpus {
	struct csg_guest_cpu *cpus; /* those that have recorded something */
	size_t count;
	bool contradicted; /* one of them is: numbers say nothing */
	int32_t only;	   /* the thread that is the only one that may run a vCPU, or 0 */
	int32_t only_cpu;  /* and the guest's only CPU, or -1 */
	bool looked; /* with this offset, and this many vCPUs known, of all VMs and of its own */
	struct csg_offset offset;
	size_t all_vcpus, vcpus;
};

void csg_guest_cpus_fini(struct csg_guest_cpus *cpus);

enum csg_guest_cpu_is {
	CSG_GUEST_CPU_UNKNOWN,	/* no CPU is known to be it */
	CSG_GUEST_CPU_NUMBERED, /* by its number, or as there is no other */
	CSG_GUEST_CPU_FITS,	/* as what was recorded fits no other thread */
	/* numbers are contradicted or disputed, and what fits does not tell */
	CSG_GUEST_CPU_CONFLICT,
};

/*
 * The guest's CPU that a vCPU is, by its thread and its number (CSG_PID_UNKNOWN, CSG_VCPU_UNKNOWN:
 * not known); *cpu is -1 unless it is known.
 */
enum csg_guest_cpu_is csg_guest_cpu_of(const struct csg_guest_cpus *cpus, int32_t tid, int32_t vcpu,
				       int32_t *cpu);

#endif
