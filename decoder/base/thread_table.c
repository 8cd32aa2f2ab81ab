/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/thread_table.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "util/array.h"

/* More than records that are true can make of one thread by naming other processes. */
#define STATES 4096

static bool equal(const void *table, uint32_t i, const void *tid)
{
	return ((const struct csg_thread_table *)table)->threads[i].tid == *(const int32_t *)tid;
}

static uint32_t hash_of(int32_t tid)
{
	return csg_hash_of(csg_hash_mix(0, (uint32_t)tid));
}

static int64_t find(const struct csg_thread_table *table, int32_t tid)
{
	return csg_hash_find(&table->by_tid, hash_of(tid), equal, table, &tid);
}

/* The thread, made when new; NULL: out of memory. */
static struct csg_thread *thread_of(struct csg_thread_table *table, int32_t tid)
{
	const int64_t i = find(table, tid);

	if (i >= 0)
		return &table->threads[i];
	if (csg_array_grow((void **)&table->threads, table->count, &table->capacity,
			   sizeof(*table->threads)) ||
	    csg_hash_add(&table->by_tid, hash_of(tid), (uint32_t)table->count))
		return NULL;
	table->threads[table->count] = (struct csg_thread){.tid = tid};
	return &table->threads[table->count++];
}

int csg_thread_seen(struct csg_thread_table *table, int32_t tid, int32_t pid, const char *comm,
		    bool forked, uint64_t time)
{
	struct csg_thread *thread = thread_of(table, tid);
	struct csg_thread_state *last;
	int err;

	if (!thread)
		return -CSG_E_NO_MEMORY;
	last = thread->count ? &thread->states[thread->count - 1] : NULL;
	if (last && !forked && last->pid == pid && (!comm || comm == last->comm) &&
	    !(last->ended && time > last->ended)) {
		last->last = time > last->last ? time : last->last;
		last->ended = 0;
		return 0;
	}
	if (last && !forked && !comm)
		comm = last->comm;
	if (last && last->time >= time) {
		*last = (struct csg_thread_state){.time = last->time,
						  .last = last->time,
						  .pid = pid,
						  .begins = forked || last->begins,
						  .comm = comm};
		return 0;
	}
	err = csg_array_grow((void **)&thread->states, thread->count, &thread->capacity,
			     sizeof(*thread->states));
	if (!err)
		thread->states[thread->count++] = (struct csg_thread_state){
			.time = time, .last = time, .pid = pid, .begins = forked, .comm = comm};
	return err;
}

int csg_thread_ended(struct csg_thread_table *table, int32_t tid, int32_t pid, uint64_t time)
{
	int err = csg_thread_seen(table, tid, pid, NULL, false, time);
	struct csg_thread *thread = err ? NULL : thread_of(table, tid);

	if (thread)
		thread->states[thread->count - 1].ended = time;
	return err;
}

/* How many states of a thread there are up to time. */
static size_t states_upto(const struct csg_thread *thread, uint64_t time)
{
	size_t low = 0, high = thread->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (thread->states[middle].time <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int csg_thread_insert(struct csg_thread *thread, size_t i, const struct csg_thread_state *state)
{
	int err = csg_array_grow((void **)&thread->states, thread->count, &thread->capacity,
				 sizeof(*thread->states));

	if (err)
		return err;
	memmove(&thread->states[i + 1], &thread->states[i],
		(thread->count - i) * sizeof(*thread->states));
	thread->states[i] = *state;
	thread->count++;
	return 0;
}

/* It is another process's than the state before, which was seen until later: it came back to that
 * one. */
static int part(struct csg_thread *thread, size_t i, const struct csg_thread_state *other)
{
	struct csg_thread_state *before = &thread->states[i - 1], back = *before;
	int err;

	if (before->last < other->time)
		return csg_thread_insert(thread, i, other);
	back.time = back.last;
	back.begins = false;
	before->last = before->time;
	before->ended = 0;
	err = csg_thread_insert(thread, i, other);
	return err || back.time <= other->time ? err : csg_thread_insert(thread, i + 1, &back);
}

int csg_thread_sighted(struct csg_thread_table *table, int32_t tid, int32_t pid, uint64_t time)
{
	const struct csg_thread_state sight = {.time = time, .last = time, .pid = pid};
	struct csg_thread *thread = thread_of(table, tid);
	struct csg_thread_state *before, *after;
	size_t i;

	if (!thread)
		return -CSG_E_NO_MEMORY;
	i = states_upto(thread, time);
	before = i ? &thread->states[i - 1] : NULL;
	after = i < thread->count ? &thread->states[i] : NULL;
	if (before && before->pid == pid) {
		before->last = time > before->last ? time : before->last;
		return 0;
	}
	if (after && after->pid == pid && !after->begins && (!before || before->last < time)) {
		after->time = time;
		return 0;
	}
	thread->disputed |= thread->count >= STATES;
	if (thread->disputed)
		return 0;
	return before ? part(thread, i, &sight) : csg_thread_insert(thread, i, &sight);
}

const struct csg_thread *csg_thread_find(const struct csg_thread_table *table, int32_t tid)
{
	const int64_t i = find(table, tid);

	return i < 0 ? NULL : &table->threads[i];
}

const struct csg_thread_state *csg_thread_at(const struct csg_thread_table *table, int32_t tid,
					     uint64_t time)
{
	const struct csg_thread *thread = csg_thread_find(table, tid);
	size_t n;

	if (!thread || !thread->count)
		return NULL;
	n = states_upto(thread, time);
	if (n)
		return &thread->states[n - 1];
	return thread->states[0].begins ? NULL : &thread->states[0];
}

uint64_t csg_thread_until(const struct csg_thread_table *table, int32_t tid, uint64_t time)
{
	const struct csg_thread *thread = csg_thread_find(table, tid);
	size_t n = thread ? states_upto(thread, time) : 0;

	return thread && n < thread->count ? thread->states[n].time : UINT64_MAX;
}

void csg_thread_table_fini(struct csg_thread_table *table)
{
	for (size_t i = 0; i < table->count; i++)
		free(table->threads[i].states);
	free(table->threads);
	csg_hash_fini(&table->by_tid);
	*table = (struct csg_thread_table){0};
}
