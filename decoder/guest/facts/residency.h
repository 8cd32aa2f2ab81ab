/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Residency: which thread of the host was on which CPU when, as the host's own records tell.
 *
 * PERF_RECORD_SWITCH_CPU_WIDE says who comes in (and who was there before) and who goes out (and
 * who comes next); every other record of a CPU, a sample of kvm:kvm_entry say, was written by the
 * thread that was there.  The kernel writes the record of who leaves before it switches, and that
 * of who comes after it: between the two one or the other runs.  So a CPU's past is a row of
 *
 *	intervals	one thread was there all the time from its first to its last record
 *	joints		between two intervals, where the records name each other: one of the two was
 *			there
 *	holes		anything else, records were lost: anybody may have been there
 *
 * Two records may contradict each other though nothing says that some were lost (PERF_RECORD_LOST):
 * one is wrong, or others are missing.  Which, nobody knows, so the time between the last and the
 * next records of that CPU that agree with another one is a hole.  A record agrees if a second one
 * names the same thread in the same interval: a lone record next to a contradiction is no interval.
 * Such holes are listed (csg_residency_taints()); what lies outside of them counts.
 *
 * Records are fed in time order.  An interval takes 24 bytes, so that memory grows with the number
 * of switch records, not with the trace; queries search the sorted array.
 */
#ifndef DECODER_GUEST_FACTS_RESIDENCY_H
#define DECODER_GUEST_FACTS_RESIDENCY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/disk_memory.h"

/* Records of higher CPUs are left out: a record holds 32 bits, machines have fewer. */
#define CSG_RESIDENCY_CPUS 65536

struct csg_on_cpu {
	uint64_t from : 62;	/* perf time, ns: of its first record */
	uint64_t contested : 1; /* its first record contradicts the one before it */
	uint64_t agreed : 1;	/* two records or more name the thread */
	uint64_t until : 63;	/* of its last */
	uint64_t joined : 1;	/* the interval before it ended with the switch to this one */
	int32_t pid, tid;	/* 0 and 0: the idle thread; pid -1: records disagree in it */
};

struct csg_residency_cpu {
	struct csg_on_cpu *intervals; /* sorted by time, none overlaps another */
	size_t count, capacity;
	uint64_t latest; /* time of the last record */
	bool open;	 /* the last interval goes on */
	bool switched;	 /* one of its records is a switch */
	bool expects;	 /* it ended with a switch to the thread next */
	int32_t next;
	/* when that wrote its first record, though none says that it came; 0: it did not */
	uint64_t amid;
};

/* What a record is. */
enum csg_residency_record {
	CSG_RESIDENCY_IN,
	CSG_RESIDENCY_OUT,
	CSG_RESIDENCY_SEEN,	/* any other that a thread wrote */
	CSG_RESIDENCY_PREVIOUS, /* IN, of whom it says to have left */
	CSG_RESIDENCY_PROCESS,	/* any that names the thread that is there, and another process */
};

/* A record that contradicts the one before it. */
struct csg_residency_taint {
	int32_t cpu;
	uint64_t time;	 /* of the record */
	uint64_t begins; /* an earlier record shows that its interval had begun by then; else 0 */
	uint8_t record;	 /* enum csg_residency_record */
	int32_t tid;	 /* that it names */
	/* thread that was there, or was to come, by the record before it; -1: not known */
	int32_t had;
	bool to_come;
	/* The hole around it; from 0: since the recording began, until UINT64_MAX: to its end. */
	uint64_t from, until;
};

/* All zero is one that knows nothing. */
struct csg_residency {
	struct csg_disk_memory *memory; /* of the intervals, or NULL */
	struct csg_residency_cpu *cpus;
	size_t count, capacity;
	struct csg_residency_taint *taints;
	size_t taint_count, taint_capacity;
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

/* All records of cpu are in: makes holes of what contradicts.  Before the first question. */
void csg_residency_settle(struct csg_residency *residency, int32_t cpu);

/* Thread 0 is anybody: holes in place of its intervals.  When all CPUs are settled. */
void csg_residency_forget_idle(struct csg_residency *residency);

/* The records that contradict others, one for each hole, of settled CPUs; *n gets how many. */
const struct csg_residency_taint *csg_residency_taints(const struct csg_residency *residency,
						       size_t *n);

/* The interval that lasted from before from (or from then) until until or longer, or NULL. */
const struct csg_on_cpu *csg_residency_at(const struct csg_residency *residency, int32_t cpu,
					  uint64_t from, uint64_t until);

/*
 * Calls fn for each interval of which something may lie between from and until, in order, until it
 * returns false.  True: these are all who can have been there; false: there is a hole, or
 * fn returned false.
 */
typedef bool (*csg_on_cpu_fn)(void *arg, const struct csg_on_cpu *interval);
bool csg_residency_among(const struct csg_residency *residency, int32_t cpu, uint64_t from,
			 uint64_t until, csg_on_cpu_fn fn, void *arg);

/* Whether all records of cpu that name a thread contradict each other: anybody may have been
 * there. */
bool csg_residency_is_hole(const struct csg_residency *residency, int32_t cpu);

/* All intervals of cpu, in order; *n gets how many. */
const struct csg_on_cpu *csg_residency_intervals(const struct csg_residency *residency, int32_t cpu,
						 size_t *n);

#endif
