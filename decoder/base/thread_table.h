/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads of a machine at all times: to which process a thread ID belonged and how it was
 * called (PERF_RECORD_COMM, FORK; everything else that states a pid and a tid).  IDs are used
 * again; what holds is what was said last before the time.  EXIT ends nothing: a thread
 * still runs in the kernel after it.
 */
#ifndef DECODER_BASE_THREAD_TABLE_H
#define DECODER_BASE_THREAD_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/hash.h"

struct csg_thread_state {
	uint64_t time;	/* from which on */
	uint64_t last;	/* when a record named it last; the next state's time or before */
	uint64_t ended; /* when it exited, or 0: it runs no user code after that */
	int32_t pid;
	bool begins;	  /* it was forked then: not there before */
	const char *comm; /* or NULL */
};

struct csg_thread {
	int32_t tid;
	struct csg_thread_state *states;
	size_t count, capacity;
	bool disputed; /* records name more processes, in turn, than states are kept */
};

struct csg_thread_table {
	struct csg_thread *threads; /* in the order in which they were seen first */
	size_t count, capacity;
	struct csg_hash by_tid;
};

/*
 * A thread is seen at time as one of pid.  comm NULL: keeps its name.  forked: it begins
 * there.  Calls come in time order, strings stay.
 */
int csg_thread_seen(struct csg_thread_table *table, int32_t tid, int32_t pid, const char *comm,
		    bool forked, uint64_t time);

/*
 * A record of time shows that tid was of pid then.  Calls come in any order, after all of
 * csg_thread_seen(). 0 or -CSG_E_NO_MEMORY.
 */
int csg_thread_sighted(struct csg_thread_table *table, int32_t tid, int32_t pid, uint64_t time);

/* The same, and it exits there; in time order with csg_thread_seen(). */
int csg_thread_ended(struct csg_thread_table *table, int32_t tid, int32_t pid, uint64_t time);

/* Puts a state between the first i of a thread and the others.  0 or -CSG_E_NO_MEMORY. */
int csg_thread_insert(struct csg_thread *thread, size_t i, const struct csg_thread_state *state);

/* All that is known of tid, or NULL; valid until another one is seen. */
const struct csg_thread *csg_thread_find(const struct csg_thread_table *table, int32_t tid);

/* What tid was at time; NULL: not there.  A thread first heard of later was there before. */
const struct csg_thread_state *csg_thread_at(const struct csg_thread_table *table, int32_t tid,
					     uint64_t time);

/* From when on another state may hold than at time; UINT64_MAX: none does. */
uint64_t csg_thread_until(const struct csg_thread_table *table, int32_t tid, uint64_t time);

void csg_thread_table_fini(struct csg_thread_table *table);

#endif
