/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The host's on-CPU intervals by the thread that had them, and the holes between them.
 *
 * Who asks when a VM may have run needs the intervals of its vCPU threads, and the times at which
 * anybody may have been on a CPU.  A host with hundreds of VMs has tens of millions of intervals:
 * to read all of them for each VM takes VMs times intervals.  With this index it takes VMs times
 * threads, and each interval once for each VM that its thread may run.
 *
 * An interval is named by its CPU and its place among the CPU's intervals
 * (csg_residency_intervals()).
 */
#ifndef DECODER_GUEST_FACTS_THREAD_INTERVALS_H
#define DECODER_GUEST_FACTS_THREAD_INTERVALS_H

#include "guest/facts/residency.h"
#include "util/keyset.h"

struct csg_on_cpu_place {
	uint32_t cpu, at;
};

/* A thread of a process; a TID that comes back is of several. */
struct csg_on_cpu_thread {
	int32_t pid, tid; /* as in struct csg_on_cpu */
};

struct csg_thread_intervals {
	struct csg_keyset
		threads; /* of struct csg_on_cpu_thread, in the order in which they first ran */
	size_t *first;	 /* of each thread in places; one more: how many there are */
	struct csg_on_cpu_place *places; /* thread by thread, each in the order of CPU and time */
	size_t place_count;
	struct csg_disk_memory *memory; /* of places: the residency's */
	struct csg_on_cpu_place
		*holes; /* intervals that a hole follows, and not the end of the records */
	size_t hole_count, hole_capacity;
};

/* All zero is one of nothing.  The residency must be settled, and stay as it is.  0 or
 * -CSG_E_NO_MEMORY. */
int csg_thread_intervals_make(struct csg_thread_intervals *by_thread,
			      const struct csg_residency *residency);
void csg_thread_intervals_fini(struct csg_thread_intervals *by_thread);

/* The thread with this number, below threads.count; *places gets its n intervals. */
const struct csg_on_cpu_thread *
csg_thread_intervals_of(const struct csg_thread_intervals *by_thread, size_t number,
			const struct csg_on_cpu_place **places, size_t *n);

#endif
