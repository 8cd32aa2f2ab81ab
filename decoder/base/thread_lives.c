/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/thread_lives.h"

#include "util/bisect.h"
#include "csguest/owner.h"

struct question {
	const struct csg_spans *lost;
	uint64_t from, until;
	bool user, by_pid;
};

static int32_t process_of(const struct question *q, const struct csg_thread_state *state)
{
	return q->by_pid ? csg_vm_pid(state->pid) : state->pid;
}

static int32_t both(int32_t pid, int32_t other)
{
	if (pid == CSG_PID_UNKNOWN || other == CSG_PID_UNKNOWN)
		return pid == CSG_PID_UNKNOWN ? other : pid;
	return pid == other ? pid : CSG_PID_SEVERAL;
}

/* Whom the part of the question that lies in a state, or after it, finds. */
static int32_t in_state(const struct question *q, const struct csg_thread_state *state,
			const struct csg_thread_state *next)
{
	uint64_t end = next ? next->time : UINT64_MAX;
	uint64_t until = q->until < end ? q->until : end;
	int32_t pid = process_of(q, state);
	bool same = next && process_of(q, next) == pid;
	bool other = next && !next->begins && !same;

	bool over = q->user && state->ended && q->from > state->ended;

	if (over && next && next->begins && !csg_spans_meet(q->lost, state->last, until))
		return CSG_PID_UNKNOWN;
	if (over)
		return CSG_PID_SEVERAL;
	if (until <= state->last || (next && !next->begins && same))
		return pid;
	if (other || csg_spans_meet(q->lost, state->last, until))
		return CSG_PID_SEVERAL;
	return pid;
}

/* Before the first record that names it. */
static int32_t in_dark(const struct question *q, const struct csg_thread_state *first)
{
	uint64_t until = q->until < first->time ? q->until : first->time;

	if (q->from >= first->time)
		return CSG_PID_UNKNOWN;
	if (csg_spans_meet(q->lost, q->from, first->begins ? until : first->time))
		return CSG_PID_SEVERAL;
	return first->begins ? CSG_PID_UNKNOWN : process_of(q, first);
}

static int32_t answer(const struct csg_thread_table *table, int32_t tid, struct question q)
{
	const struct csg_thread *thread = csg_thread_find(table, tid);
	int32_t pid;
	size_t i;

	if (!thread || !thread->count)
		return CSG_PID_UNKNOWN;
	if (thread->disputed)
		return CSG_PID_SEVERAL;
	pid = in_dark(&q, thread->states);
	CSG_BISECT(i, thread->count, thread->states[i].time <= q.from);
	for (i -= i > 0; i < thread->count && thread->states[i].time <= q.until; i++)
		pid = both(pid, in_state(&q, &thread->states[i],
					 i + 1 < thread->count ? &thread->states[i + 1] : NULL));
	/* Whoever it was before that one was forked. */
	return pid == CSG_PID_UNKNOWN ? CSG_PID_SEVERAL : pid;
}

int32_t csg_thread_during(const struct csg_thread_table *table, const struct csg_spans *lost,
			  int32_t tid, uint64_t from, uint64_t until, bool user)
{
	return answer(table, tid,
		      (struct question){lost, from, until < from ? from : until, user, false});
}

int32_t csg_thread_pid_during(const struct csg_thread_table *table, const struct csg_spans *lost,
			      int32_t tid, uint64_t from, uint64_t until, bool user)
{
	return answer(table, tid,
		      (struct question){lost, from, until < from ? from : until, user, true});
}

int csg_thread_was(const struct csg_thread_table *table, int32_t tid, int32_t pid)
{
	const struct csg_thread *thread = csg_thread_find(table, tid);
	bool was = thread && thread->disputed;

	for (size_t i = 0; !was && thread && i < thread->count; i++)
		was = thread->states[i].pid == pid;
	return was ? 1 : thread && thread->count ? 0 : -1;
}
