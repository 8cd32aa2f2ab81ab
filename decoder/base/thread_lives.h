/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which process a thread ID was of between two times, for certain.  An ID comes back: a thread
 * ends, and another gets its number, of another process.
 *
 *	FORK		a life begins there, and the one before it is over
 *	EXIT		no user code of that life runs after it; the kernel still does, to end it
 *	any record	that names the thread: its life lasted until then
 *
 * Between two records that name one process, the ID was that one's: Linux gives out all other IDs
 * before one comes back.  Between two that name different processes, and no FORK, it was either's,
 * or a third one's. After the last record that names it, records may have been lost
 * (base/spans.h): from there on the ID may be another thread's.
 */
#ifndef DECODER_BASE_THREAD_LIVES_H
#define DECODER_BASE_THREAD_LIVES_H

#include "base/spans.h"
#include "base/thread_table.h"

/* Of several processes, or of one that no record names. */
#define CSG_PID_SEVERAL (-2)

/*
 * The one process that tid was of from one time until another, both included; CSG_PID_SEVERAL; or
 * CSG_PID_UNKNOWN: nothing names the thread.  user: it ran user code there.
 */
int32_t csg_thread_during(const struct csg_thread_table *table, const struct csg_spans *lost,
			  int32_t tid, uint64_t from, uint64_t until, bool user);

/* The same by PID: of several processes that had one (csg_vm_pid()) it says the PID. */
int32_t csg_thread_pid_during(const struct csg_thread_table *table, const struct csg_spans *lost,
			      int32_t tid, uint64_t from, uint64_t until, bool user);

/* Whether tid was of pid at any time: 1, 0, or -1 where nothing names tid. */
int csg_thread_was(const struct csg_thread_table *table, int32_t tid, int32_t pid);

#endif
