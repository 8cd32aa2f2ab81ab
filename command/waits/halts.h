/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the trace shows that a guest had halted its vCPU: KVM's handler of WFI and WFE ran on the
 * vCPU's thread (kvm_handle_wfx(), arch/arm64/kvm/handle_exit.c), nothing of a guest ran after it,
 * and then another thread had the CPU.  The switch record of that is between the two timestamps
 * around it; where it is the only one of the thread there, and the thread blocked, the vCPU was
 * halted.
 *
 * Streams may be given in any order, each its batches in order.
 */
#ifndef COMMAND_WAITS_HALTS_H
#define COMMAND_WAITS_HALTS_H

#include "csguest/session.h"
#include "lookup/lookup.h"
#include "util/keyset.h"
#include "waits/waits.h"

struct csg_halt {
	int32_t tid, cpu;
	uint32_t stream;
	uint64_t from, until; /* host time, ns; UINT64_MAX: not there yet */
};

struct csg_halts_stream {
	uint64_t time;	 /* of the last timestamp; 0: not known */
	uint64_t halted; /* time at which thread `tid` had last handled a WFI; with tid -1: none */
	int32_t tid;
	int32_t vcpu;	  /* thread of the guest that ran last; -1: none, or not known */
	/* thread whose kernel code the owner is, if it may handle exits; else -1 */
	int32_t handling;
	uint32_t owner;	  /* the last one that ran */
	size_t first;	  /* halts before it have an end, as far as they are of this stream */
};

struct csg_halts {
	const struct csg_lookup *lookup;
	struct csg_halts_stream *streams;
	size_t stream_count;
	struct csg_keyset entries; /* addresses of code that the host ran, by space ... */
	uint8_t *handles;	   /* ... and whether the handler begins there */
	size_t handles_count;
	struct csg_halt *halts;
	size_t count, capacity;
};

/* lookup has to outlive it.  -CSG_E_NO_MEMORY; csg_halts_fini() is safe even then. */
int csg_halts_init(struct csg_halts *halts, const struct csg_lookup *lookup, size_t streams);
void csg_halts_fini(struct csg_halts *halts);

/* A batch of a stream of this CPU.  -CSG_E_NO_MEMORY. */
int csg_halts_add(struct csg_halts *halts, const struct csg_batch *batch, int32_t cpu);

/* All batches are in: waits, which are finished, learn of them. */
void csg_halts_tell(const struct csg_halts *halts, struct csg_waits *waits);

#endif
