/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which vCPU each CPU of a guest is.
 *
 * A guest numbers its CPUs itself, in what it records, as its host numbers vCPUs.  The two are usually the
 * same, but nothing says so: firmware may list them in another order, a crash kernel calls the CPU that
 * it boots on 0, a user or a VMM may name the wrong thread.  What a guest recorded on a CPU happened while
 * the thread that runs this vCPU was on a CPU of the host, so it is held against every thread that may
 * (guest/guest_fit.h):
 *
 *	it can have been the thread of that number	the numbers are the same, until that is contradicted
 *	it cannot					the numbers of this guest say nothing any more
 *	it can have been one thread alone		it is that one's, whatever the numbers (a
 *							thread that is one CPU is no other)
 *
 * The switches of a CPU that is left with no thread are nobody's.  Where the number of a vCPU is not
 * known, the only CPU of a guest is taken for it if no other thread can be another vCPU.
 */
#ifndef DECODER_GUEST_GUEST_CPUS_H
#define DECODER_GUEST_GUEST_CPUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clock/offsets.h"

struct csg_facts;
struct csg_facts_machine;

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
	bool looked; /* with this offset, and so many vCPUs known, of all VMs and of its own */
	struct csg_offset offset;
	size_t all_vcpus, vcpus;
};

void csg_guest_cpus_fini(struct csg_guest_cpus *cpus);

/*
 * Looks at the guest's records, if more is known than when they were looked at last.  facts are
 * sealed, or all but that.  0 or -CSG_E_NO_MEMORY.
 */
int csg_guest_cpus_look(const struct csg_facts *facts, struct csg_facts_machine *guest);

enum csg_guest_cpu_is {
	CSG_GUEST_CPU_UNKNOWN,	/* no CPU is known to be it */
	CSG_GUEST_CPU_NUMBERED, /* by its number, or as there is no other */
	CSG_GUEST_CPU_FITS,	/* as what was recorded fits no other thread */
	CSG_GUEST_CPU_CONFLICT, /* numbers are contradicted or disputed, and what fits does not tell */
};

/*
 * The guest's CPU that a vCPU is, by its thread and its number (CSG_PID_UNKNOWN, CSG_VCPU_UNKNOWN:
 * not known); *cpu is -1 unless it is known.
 */
enum csg_guest_cpu_is csg_guest_cpu_of(const struct csg_facts_machine *guest, int32_t tid,
				       int32_t vcpu, int32_t *cpu);

#endif
