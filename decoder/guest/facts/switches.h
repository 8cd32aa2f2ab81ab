/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who ran on each CPU of a machine when, by the machine's own context switches
 * (PERF_RECORD_SWITCH_CPU_WIDE).
 *
 * The kernel writes OUT before it leaves a task and IN when the next has been entered; between
 * the two no user code runs.  From one record to the next ran whom both speak of: an IN, or an
 * OUT by its next_prev_tid, names who comes, an OUT who leaves.  Where they name different tasks
 * a record is missing, and who ran in between is unknown.  Before the first record of a CPU and
 * after its last, the one that it speaks of ran as long as the recording did.
 */
#ifndef DECODER_GUEST_FACTS_SWITCHES_H
#define DECODER_GUEST_FACTS_SWITCHES_H

#include "csguest/attribution.h"
#include "util/disk_memory.h"

/* From time on, tid ran on cpu; in a switch, first in what is left of the task before it. */
struct csg_ran_from {
	int32_t cpu;
	int32_t pid, tid; /* CSG_PID_UNKNOWN: a record is missing */
	bool switching;	  /* from an OUT on */
	uint64_t time;
};

/* A PERF_RECORD_SWITCH_CPU_WIDE, of 32 bytes as there are millions of them. */
struct csg_switch_record {
	uint64_t time;
	int32_t cpu;
	int32_t pid, tid;	      /* who is switched in or out */
	int32_t other_pid, other_tid; /* next_prev_pid, _tid; -1 where the record has none */
	bool out;		      /* PERF_RECORD_MISC_SWITCH_OUT */
};

struct csg_switches {
	struct csg_disk_memory *memory; /* of both arrays, or NULL */
	struct csg_switch_record *records;
	size_t count, capacity;
	struct csg_ran_from *spans; /* made of the records by _seal() */
	size_t span_count, span_capacity;
	uint64_t first_time, last_time; /* of the recording */
};

/* All zero is an empty list. */
void csg_switches_fini(struct csg_switches *switches);

/* 0 or -CSG_E_NO_MEMORY. */
int csg_switches_add(struct csg_switches *switches, const struct csg_attribution_switch *record);

/* For whoever reads all records in order, after the one at index i: it need not stay resident. */
static inline void csg_switches_pass(const struct csg_switches *switches, size_t i)
{
	if (i % 65536 == 65535)
		csg_disk_memory_trim(switches->memory);
}

/* All records are in: puts them in order of CPU and time, of which no question can be asked. */
void csg_switches_sort(struct csg_switches *switches);

/*
 * Sorts them, and makes ready for the questions below; the recording lasted from first_time to
 * last_time.  0 or -CSG_E_NO_MEMORY.
 */
int csg_switches_seal(struct csg_switches *switches, uint64_t first_time, uint64_t last_time);

/*
 * Records of cpu, -1: of any, are missing before a record from one time to the other, both
 * included: who ran up to that one is unknown.  After _seal().
 */
void csg_switches_lose(struct csg_switches *switches, int32_t cpu, uint64_t from, uint64_t until);

/*
 * Whether the record at index i agrees with neither the one before it nor the one after it, so that
 * its time, too, may be wrong.  After _seal().
 */
bool csg_switches_is_lone(const struct csg_switches *switches, size_t i);

enum csg_ran_answer {
	CSG_RAN_ONE,	 /* *who ran all the time */
	CSG_RAN_SEVERAL, /* there was a switch in between */
	CSG_RAN_UNKNOWN, /* a record is missing, or the recording did not run then */
};

/*
 * Who ran on cpu from one time to the other, both included.  A kernel between OUT and IN is of
 * either thread; user code is not there.
 */
enum csg_ran_answer csg_switches_ran(const struct csg_switches *switches, int32_t cpu, bool kernel,
				     uint64_t from, uint64_t to, struct csg_ran_from *who);

/*
 * who: a thread that ran, as csg_switches_ran() has it.  Makes it the one that came after it on
 * that CPU, or with back that was there before it; false: a record is missing.
 */
bool csg_switches_step(const struct csg_switches *switches, bool back, struct csg_ran_from *who);

/* How often another thread came on cpu after one time and until the other.  After _seal(). */
size_t csg_switches_between(const struct csg_switches *switches, int32_t cpu, uint64_t from,
			    uint64_t to);

/* Whether the recording lasted from one time to the other, and has records of cpu.  After
 * _seal(). */
bool csg_switches_cover(const struct csg_switches *switches, int32_t cpu, uint64_t from,
			uint64_t to);

/* The only CPU that records speak of, or -1. */
int32_t csg_switches_only_cpu(const struct csg_switches *switches);

#endif
