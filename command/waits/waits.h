/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * States of vCPUs by the host's switch records (PERF_RECORD_SWITCH, SWITCH_CPU_WIDE): when the
 * thread that runs a vCPU was on a CPU, and when on none, and why.
 *
 *	running		from its switch in to its switch out, both on one CPU
 *	preempted	switched out though it could run on
 *	asleep		switched out as it could not, until its wake-up (sched:sched_waking,
 *			sched_wakeup)
 *	runnable	from its wake-up until it is on a CPU
 *	blocked		both, where no record tells of a wake-up
 *	halted		asleep or blocked, of which the trace shows that the guest waited for an
 *			interrupt
 *	off		switched out, and no record says why
 *	unknown		anything else
 *
 * Only records prove a state.  A thread is unknown before its first record, and where a record of
 * it, or of who was on its CPU, contradicts the one before.  Where records of some CPU are missing,
 * each thread that was on none may have been there: it is unknown from there until its next record.
 * The state ends with PERF_RECORD_EXIT of the thread, and where another process has its TID.
 *
 * While a thread is preempted, others have the CPU that it left, and while it is runnable the one
 * on whose run queue it stands.  They ran instead, if it comes back on that CPU; a thread that
 * moved may have waited elsewhere.
 *
 * A switch takes 16 bytes for its CPU and, if it is a vCPU's, 16 more; beyond 32 MB they lie in a
 * temporary file.
 */
#ifndef COMMAND_WAITS_WAITS_H
#define COMMAND_WAITS_WAITS_H

#include <stdbool.h>

#include "csguest/attribution.h"
#include "csguest/sideband.h"
#include "util/disk_memory.h"
#include "util/keyset.h"
#include "waits/wait_spans.h"

/* Records of higher CPUs are left out: no machine has as many. */
#define CSG_WAIT_CPUS 65536

/* "running", "preempted", "runnable", "halted", "asleep", "blocked", "no_reason", "no_record". */
const char *csg_wait_state_name(enum csg_wait_state state);

/* Whether only some recordings can tell of it: those with wake-ups, or trace of KVM's handlers. */
bool csg_wait_state_is_rare(enum csg_wait_state state);

/* Times in ns, by state. */
struct csg_wait_sums {
	uint64_t time[CSG_WAIT_STATES];
};

/* A thread of the host that ran while others were preempted; 0 and 0: the idle thread. */
struct csg_wait_ran {
	int32_t pid, tid;
	uint64_t time; /* ns; of each thread that was preempted meanwhile */
};

/* Private. */
struct csg_waits {
	struct csg_wait_thread *threads; /* by TID and VM */
	size_t thread_count;
	struct csg_wait_cpu *cpus;
	size_t cpu_count;
	bool lost_anywhere;	       /* records were lost, and it is not known of which CPU */
	struct csg_disk_memory memory; /* of spans and switches */
	uint64_t events;
	struct csg_keyset others; /* threads that were on a CPU: PID and TID */
	struct csg_wait_hole *holes;
	size_t hole_count, hole_capacity;
	int32_t (*number)(void *arg, int32_t pid, uint64_t time); /* csg_waits_number(), or NULL */
	void *number_arg;
};

/* Of these vCPUs, as csg_vcpu_at().  -CSG_E_NO_MEMORY; csg_waits_fini() is safe even then. */
int csg_waits_init(struct csg_waits *waits, const struct csg_vcpu_entry *vcpus, size_t n);

/*
 * From now on number() says which process had a PID at a time, as
 * csg_session_process_number() does.  Without, one process had each.
 */
void csg_waits_number(struct csg_waits *waits,
		      int32_t (*number)(void *arg, int32_t pid, uint64_t time), void *arg);
void csg_waits_fini(struct csg_waits *waits);

/* Where temporary files are made, which stays; NULL: $TMPDIR, or /tmp. */
void csg_waits_keep_in(struct csg_waits *waits, const char *dir);

/* Lets go of what was read of the temporary file: now and then by who asks for many threads. */
void csg_waits_trim(const struct csg_waits *waits);

/* The next event in time order; those of other kinds and of guests count for nothing.
 * -CSG_E_NO_MEMORY. */
int csg_waits_add(struct csg_waits *waits, const struct csg_sideband_event *event);

/* This CPU was recorded, whether or not it has switch records.  -CSG_E_NO_MEMORY. */
int csg_waits_covers(struct csg_waits *waits, int32_t cpu);

/*
 * The trace shows that a thread halted its vCPU and left this CPU between these times; where it
 * left more than once, or could run on, it is not believed.  After csg_waits_finish().
 */
void csg_waits_halted(struct csg_waits *waits, int32_t tid, int32_t cpu, uint64_t from,
		      uint64_t until);

/*
 * All events are in.  online: CPUs of the machine; where not as many were recorded, or it is 0 (not
 * known), threads that were on none of those are unknown.  -CSG_E_NO_MEMORY.
 */
int csg_waits_finish(struct csg_waits *waits, uint32_t online);

/*
 * Adds the states of a vCPU's thread from one time to the other: the sum is until - from, less what
 * it had not begun or had ended.  After csg_waits_finish().
 */
void csg_waits_between(const struct csg_waits *waits, int32_t vm, int32_t tid, uint64_t from,
		       uint64_t until, struct csg_wait_sums *sums);

/* From when on states of a vCPU's thread are given, if not before from: it may have begun later. */
uint64_t csg_waits_born(const struct csg_waits *waits, int32_t vm, int32_t tid, uint64_t from);

/* The same one by one, in order of time: fn gets each state and its part of that time. */
void csg_waits_each(const struct csg_waits *waits, int32_t vm, int32_t tid, uint64_t from,
		    uint64_t until,
		    void (*fn)(void *arg, enum csg_wait_state state, uint64_t from, uint64_t until),
		    void *arg);

/*
 * The times at which a thread was halted, each with what its state is by records alone.
 */
void csg_waits_each_halt(const struct csg_waits *waits, const struct csg_wait_thread *thread,
			 uint64_t from, uint64_t until,
			 void (*fn)(void *arg, enum csg_wait_state was, uint64_t from,
				    uint64_t until),
			 void *arg);

/*
 * Who ran from one time to the other while threads of a VM's vCPUs were preempted or runnable:
 * *rows, most time first, to be freed, and how many.  They add up to no more than its preempted and
 * runnable time.  -CSG_E_NO_MEMORY.
 */
int csg_waits_ran_instead(const struct csg_waits *waits, int32_t vm, uint64_t from, uint64_t until,
			  struct csg_wait_ran **rows, size_t *n);

/* Threads with this TID, of several VMs: the first of *n. */
const struct csg_wait_thread *csg_waits_threads_of(const struct csg_waits *waits, int32_t tid,
						   size_t *n);

/* The thread of a vCPU, or NULL. */
struct csg_wait_thread *csg_wait_thread_of(const struct csg_waits *waits, int32_t vm, int32_t tid);

#endif
