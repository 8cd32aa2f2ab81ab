/* SPDX-License-Identifier: BSD-3-Clause */
/* What is kept of switch records (waits/waits.h): spans of each thread, on-CPU intervals of each
 * CPU. */
#ifndef COMMAND_WAITS_WAIT_SPANS_H
#define COMMAND_WAITS_WAIT_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum csg_wait_state {
	CSG_WAIT_RUNNING,
	CSG_WAIT_PREEMPTED,
	CSG_WAIT_RUNNABLE,
	CSG_WAIT_HALTED,
	CSG_WAIT_ASLEEP,
	CSG_WAIT_BLOCKED,
	CSG_WAIT_OFF,
	CSG_WAIT_UNKNOWN,
	CSG_WAIT_STATES
};

#define CSG_WAIT_NOBODY UINT32_MAX /* who is on a CPU is not known */
#define CSG_WAIT_ENDED CSG_WAIT_STATES

/* A thread has the state from then on, until the next span. */
struct csg_wait_span {
	uint64_t from;
	int32_t cpu;	/* that it is on, left, or RUNNABLE: is to run on, CSG_NO_CPU: not stated */
	uint16_t state; /* enum csg_wait_state, or CSG_WAIT_ENDED */
	uint16_t was;	/* HALTED: the state by records alone */
};

struct csg_wait_thread {
	int32_t tid, vm;
	uint64_t born; /* by PERF_RECORD_FORK; 0: before the recording */
	struct csg_wait_span *spans;
	size_t count, capacity;
};

/* From then on a CPU is a thread's: from the switch out of the thread before it. */
struct csg_wait_switch {
	uint64_t from;
	uint32_t who; /* number in others, or CSG_WAIT_NOBODY */
};

struct csg_wait_cpu {
	struct csg_wait_switch *switches;
	size_t count, capacity;
	uint64_t last; /* time of its last record */
	int32_t pid, tid;
	int32_t left;  /* SWITCHES: who left */
	uint8_t state; /* of waits.c: enum cpu_state */
	bool covered;  /* it was recorded */
};

/* Where records are missing. */
struct csg_wait_hole {
	uint64_t from, until;
};

#endif
