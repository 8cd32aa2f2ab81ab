/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Residency: which thread of the host was on which CPU when, as the host's own records tell.
 *
 * PERF_RECORD_SWITCH_CPU_WIDE says who comes in (and who was there before) and who goes out (and
 * who comes next); every other record of a CPU, a sample of kvm:kvm_entry say, was written by the
 * thread that was there.  The kernel writes the record of who leaves before it switches, and that
 * of who comes after it: between the two one or the other runs.  So a CPU's past is a row of
 *
 *	stays	one thread was there all the time from the first to the last record of its stay
 *	joints	between two stays, where the records name each other: one of the two was there
 *	holes	anything else, records were lost: anybody may have been there
 *
 * Where two records contradict each other though nothing says that some were lost
 * (PERF_RECORD_LOST), records are missing without a trace: others may be as well, where it does
 * not show.  Nothing of that CPU is believed then.
 *
 * Records are fed in time order.  A stay takes 24 bytes, so that memory grows with the number of
 * switch records, not with the trace; queries search the sorted array.
 */
#ifndef DECODER_GUEST_RESIDENCY_H
#define DECODER_GUEST_RESIDENCY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Records of higher CPUs are left out: a record holds 32 bits, machines have fewer. */
#define CSG_RESIDENCY_CPUS 65536

struct csg_stay {
	uint64_t from;	     /* perf time, ns: of its first record */
	uint64_t until : 63; /* of its last */
	uint64_t joined : 1; /* the stay before it ended with the switch to this one */
	int32_t pid, tid;    /* 0 and 0: the idle thread */
};

struct csg_residency_cpu {
	struct csg_stay *stays; /* sorted by time, none overlaps another */
	size_t count, room;
	bool open;    /* the last stay goes on */
	bool broken;  /* records of it are missing that nothing says were lost */
	bool expects; /* it ended with a switch to the thread next */
	int32_t next;
};

/* All zero is one that knows nothing. */
struct csg_residency {
	struct csg_residency_cpu *cpus;
	size_t count;
};

void csg_residency_fini(struct csg_residency *residency);

/*
 * A thread came to cpu, from prev, or left it, to next; -1 where the record does not say
 * (PERF_RECORD_SWITCH, of one thread only).  0 or -CSG_E_NO_MEMORY.
 */
int csg_residency_in(struct csg_residency *residency, int32_t cpu, uint64_t time, int32_t pid,
		     int32_t tid, int32_t prev);
int csg_residency_out(struct csg_residency *residency, int32_t cpu, uint64_t time, int32_t pid,
		      int32_t tid, int32_t next);

/*
 * A record that tid wrote on cpu.  tid -1: one that does not say who, but that records were
 * written up to here (PERF_RECORD_AUX).  0 or -CSG_E_NO_MEMORY.
 */
int csg_residency_seen(struct csg_residency *residency, int32_t cpu, uint64_t time, int32_t pid,
		       int32_t tid);

/* Records of cpu were lost since the one before; -1: of any CPU. */
void csg_residency_lost(struct csg_residency *residency, int32_t cpu);

/* Whether records of cpu contradict each other, so that its stays are not believed. */
bool csg_residency_is_broken(const struct csg_residency *residency, int32_t cpu);

/* The stay that lasted from before from (or from then) until until or longer, or NULL. */
const struct csg_stay *csg_residency_at(const struct csg_residency *residency, int32_t cpu,
					uint64_t from, uint64_t until);

/*
 * Calls fn for each stay of which something may lie between from and until, in order, until it
 * returns false.  True: these are all who can have been there; false: there is a hole, or
 * fn returned false.
 */
typedef bool (*csg_stay_fn)(void *arg, const struct csg_stay *stay);
bool csg_residency_among(const struct csg_residency *residency, int32_t cpu, uint64_t from,
			 uint64_t until, csg_stay_fn fn, void *arg);

/* All stays on cpu, in order; *n gets how many. */
const struct csg_stay *csg_residency_stays(const struct csg_residency *residency, int32_t cpu,
					   size_t *n);

#endif
