/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Switch records for the tests of waits: VM 10 has the vCPU threads 11 and 12, VM 20 has 21, and of
 * all other threads the TID is the PID.
 */
#ifndef TESTS_UNIT_WAITS_SWITCHING_H
#define TESTS_UNIT_WAITS_SWITCHING_H

#include "suite.h"

#include "waits/waits.h"

#define CPUS 2

static struct csg_waits waits;

static inline void begin(void)
{
	static const struct csg_vcpu_entry vcpus[] = {{.tid = 21, .vm = 20},
						      {.tid = 12, .vm = 10},
						      {.tid = 11, .vm = 10},
						      {.tid = 5, .vm = -1}};

	CU_ASSERT_EQUAL_FATAL(csg_waits_init(&waits, vcpus, 4), 0);
	for (int32_t cpu = 0; cpu < CPUS; cpu++)
		CU_ASSERT_EQUAL_FATAL(csg_waits_covers(&waits, cpu), 0);
}

static inline void finish(void)
{
	CU_ASSERT_EQUAL(csg_waits_finish(&waits, CPUS), 0);
}

static inline int32_t pid_of(int32_t tid)
{
	return tid == 11 || tid == 12 ? 10 : tid == 21 ? 20 : tid;
}

static inline struct csg_sideband_event event_of(enum csg_sideband_kind kind, int32_t cpu,
						 uint64_t time, int32_t tid)
{
	return (struct csg_sideband_event){
		.kind = kind, .cpu = cpu, .time = time, .pid = pid_of(tid), .tid = tid};
}

static inline void add(const struct csg_sideband_event *event)
{
	CU_ASSERT_EQUAL_FATAL(csg_waits_add(&waits, event), 0);
}

static inline void in(int32_t cpu, uint64_t time, int32_t tid, int32_t from)
{
	struct csg_sideband_event event = event_of(CSG_SIDEBAND_SWITCH, cpu, time, tid);

	event.other_pid = pid_of(from);
	event.other_tid = from;
	add(&event);
}

static inline void out(int32_t cpu, uint64_t time, int32_t tid, int32_t to,
		       enum csg_sideband_leave leave)
{
	struct csg_sideband_event event = event_of(CSG_SIDEBAND_SWITCH, cpu, time, tid);

	event.out = true;
	event.leave = leave;
	event.other_pid = pid_of(to);
	event.other_tid = to;
	add(&event);
}

/* A switch within a nanosecond. */
static inline void switch_to(int32_t cpu, uint64_t time, int32_t from, int32_t to,
			     enum csg_sideband_leave leave)
{
	out(cpu, time, from, to, leave);
	in(cpu, time + 1, to, from);
}

/* What a thread did from one time to the other. */
static inline void did(int32_t tid, uint64_t from, uint64_t until, struct csg_wait_sums want)
{
	struct csg_wait_sums sums = {{0}};

	csg_waits_between(&waits, pid_of(tid), tid, from, until, &sums);
	for (int state = 0; state < CSG_WAIT_STATES; state++)
		CU_ASSERT_EQUAL(sums.time[state], want.time[state]);
}

#define DID(tid, from, until, ...)                                                                 \
	did((tid), (from), (until), (struct csg_wait_sums){{__VA_ARGS__}})
#define RUNNING [CSG_WAIT_RUNNING]
#define PREEMPTED [CSG_WAIT_PREEMPTED]
#define RUNNABLE [CSG_WAIT_RUNNABLE]
#define ASLEEP [CSG_WAIT_ASLEEP]
#define BLOCKED [CSG_WAIT_BLOCKED]
#define OFF [CSG_WAIT_OFF]
#define UNKNOWN [CSG_WAIT_UNKNOWN]

#endif
