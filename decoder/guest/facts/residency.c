/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/residency.h"

#include <stdlib.h>

#include "util/array.h"
#include "util/bisect.h"
#include "csguest/error.h"

#define LAST_TIME (UINT64_MAX >> 2) /* that an interval can have */

void csg_residency_fini(struct csg_residency *r)
{
	for (size_t i = 0; i < r->count; i++)
		csg_disk_memory_free(r->memory, r->cpus[i].intervals,
				     r->cpus[i].capacity * sizeof(*r->cpus[i].intervals));
	free(r->cpus);
	free(r->taints);
	*r = (struct csg_residency){.memory = r->memory};
}

/* The state of cpu, made when new.  NULL: out of memory, or no such CPU can be (*error tells). */
static struct csg_residency_cpu *state_of(struct csg_residency *r, int32_t cpu, int *error)
{
	*error = 0;
	if (cpu < 0 || cpu >= CSG_RESIDENCY_CPUS)
		return NULL;
	while (!*error && r->count <= (size_t)cpu)
		if (!csg_array_add(&r->cpus, &r->count, &r->capacity, sizeof(*r->cpus)))
			*error = -CSG_E_NO_MEMORY;
	return *error ? NULL : &r->cpus[cpu];
}

static struct csg_on_cpu *last_interval(const struct csg_residency_cpu *c)
{
	return c->count ? &c->intervals[c->count - 1] : NULL;
}

static void close_interval(struct csg_residency_cpu *c, int32_t next)
{
	c->open = false;
	c->expects = next >= 0;
	c->next = next;
	c->amid = 0;
}

/* A interval begins with its first record. */
static int begin_interval(struct csg_residency *r, struct csg_residency_cpu *c,
			  const struct csg_on_cpu *interval, bool is_switch)
{
	int err = csg_disk_memory_grow(r->memory, (void **)&c->intervals, c->count, &c->capacity,
				       sizeof(*c->intervals));

	close_interval(c, -1);
	if (err)
		return err;
	c->open = true;
	c->switched = is_switch;
	c->intervals[c->count++] = *interval;
	return 0;
}

/* --- contradictions --- */

static int add_taint(struct csg_residency *r, const struct csg_residency_taint *taint)
{
	int err = csg_array_grow((void **)&r->taints, r->taint_count, &r->taint_capacity,
				 sizeof(*r->taints));

	if (!err)
		r->taints[r->taint_count++] = *taint;
	return err;
}

/* The current record contradicts the one before it. */
static int contest(struct csg_residency *r, int32_t cpu, uint64_t time,
		   enum csg_residency_record record, int32_t tid)
{
	const struct csg_residency_cpu *c = &r->cpus[cpu];
	const struct csg_residency_taint taint = {
		.cpu = cpu,
		.time = time,
		.record = (uint8_t)record,
		.tid = tid,
		.had = c->open ? last_interval(c)->tid : c->next,
		.to_come = !c->open,
		.begins = record == CSG_RESIDENCY_OUT && !c->open && tid == c->next ? c->amid : 0,
	};

	return add_taint(r, &taint);
}

/* The one before it says that another thread has left. */
static int contest_previous(struct csg_residency *r, int32_t cpu, uint64_t time, int32_t tid)
{
	const struct csg_residency_taint taint = {
		.cpu = cpu,
		.time = time,
		.record = CSG_RESIDENCY_PREVIOUS,
		.tid = tid,
		.had = last_interval(&r->cpus[cpu])->tid,
	};

	return add_taint(r, &taint);
}

/*
 * A time before that of the last record, or that no clock has: records do not come in order, and
 * what has that time proves nothing.  True: it is so.
 */
static bool goes_back(struct csg_residency_cpu *c, uint64_t time)
{
	if (time <= LAST_TIME && time >= c->latest) {
		c->latest = time;
		return false;
	}
	return true;
}

static int go_back(struct csg_residency *r, int32_t cpu, uint64_t time,
		   enum csg_residency_record record, int32_t tid)
{
	const struct csg_residency_taint taint = {
		.cpu = cpu, .time = time, .record = (uint8_t)record, .tid = tid, .had = -1};
	struct csg_residency_cpu *c = &r->cpus[cpu];

	close_interval(c, -1);
	while (c->count && last_interval(c)->until > time)
		c->count--;
	return add_taint(r, &taint);
}

/* Records of one interval name its thread, and different processes: which it is of is not known. */
static int compare_pid(struct csg_residency *r, int32_t cpu, uint64_t time, int32_t pid)
{
	struct csg_on_cpu *interval = last_interval(&r->cpus[cpu]);
	const struct csg_residency_taint taint = {.cpu = cpu,
						  .time = time,
						  .record = CSG_RESIDENCY_PROCESS,
						  .tid = interval->tid,
						  .had = -1};

	if (pid < 0 || interval->pid < 0 || interval->pid == pid)
		return 0;
	interval->pid = -1;
	return add_taint(r, &taint);
}

/* --- records --- */

int csg_residency_in(struct csg_residency *r, int32_t cpu, uint64_t time, int32_t pid, int32_t tid,
		     int32_t prev)
{
	struct csg_on_cpu interval = {.from = time, .until = time, .pid = pid, .tid = tid};
	int err;
	struct csg_residency_cpu *c = state_of(r, cpu, &err);
	struct csg_on_cpu *last;

	if (!c || tid < 0)
		return err;
	if (goes_back(c, time))
		return go_back(r, cpu, time, CSG_RESIDENCY_IN, tid);
	last = last_interval(c);
	/* Another event of perf's tells of the same switch. */
	if (c->open && last->tid == tid && last->from == time && last->until == time)
		return 0;
	interval.joined =
		!c->open && c->expects && c->next == tid && (prev < 0 || last->tid == prev);
	interval.agreed = interval.joined;
	interval.contested = !interval.joined && (c->open || c->expects);
	if (interval.joined)
		last->agreed |= prev >= 0;
	if (interval.contested && !c->open && c->next == tid)
		err = contest_previous(r, cpu, time, prev);
	else if (interval.contested)
		err = contest(r, cpu, time, CSG_RESIDENCY_IN, tid);
	return err ? err : begin_interval(r, c, &interval, true);
}

int csg_residency_out(struct csg_residency *r, int32_t cpu, uint64_t time, int32_t pid, int32_t tid,
		      int32_t next)
{
	struct csg_on_cpu interval = {.from = time, .until = time, .pid = pid, .tid = tid};
	int err;
	struct csg_residency_cpu *c = state_of(r, cpu, &err);
	struct csg_on_cpu *last;

	if (!c || (tid < 0 && !c->open))
		return err;
	if (goes_back(c, time))
		return go_back(r, cpu, time, CSG_RESIDENCY_OUT, tid);
	last = last_interval(c);
	if (!c->open && last && last->tid == tid && last->until == time && c->next == next)
		return 0; /* the same switch, reported again */
	/* Who is dead has no number any more. */
	if (c->open && (tid < 0 || last->tid == tid)) {
		err = compare_pid(r, cpu, time, tid < 0 ? -1 : pid);
		last->agreed |= tid >= 0;
	} else {
		interval.contested = c->open || c->expects;
		if (interval.contested)
			err = contest(r, cpu, time, CSG_RESIDENCY_OUT, tid);
		/* It wrote others before. */
		if (c->amid && tid == c->next) {
			interval.from = c->amid;
			interval.agreed = true;
		}
		if (!err)
			err = begin_interval(r, c, &interval, true);
	}
	if (err)
		return err;
	last_interval(c)->until = time;
	close_interval(c, next);
	return 0;
}

int csg_residency_seen(struct csg_residency *r, int32_t cpu, uint64_t time, int32_t pid,
		       int32_t tid)
{
	struct csg_on_cpu interval = {.from = time, .until = time, .pid = pid, .tid = tid};
	int err;
	struct csg_residency_cpu *c = state_of(r, cpu, &err);
	struct csg_on_cpu *last;

	if (!c || goes_back(c, time))
		return err;
	last = last_interval(c);
	if (c->open && (tid < 0 || last->tid == tid)) {
		last->agreed |= tid >= 0 && c->switched;
		last->until = time;
		return compare_pid(r, cpu, time, tid < 0 ? -1 : pid);
	}
	/* Amid a switch, either of the two may be the current thread. */
	if (!c->open && c->expects && tid == c->next && tid != last->tid && !c->amid)
		c->amid = time;
	if (tid < 0 || (!c->open && c->expects && (tid == c->next || tid == last->tid)))
		return 0;
	interval.contested = c->open || c->expects;
	if (interval.contested)
		err = contest(r, cpu, time, CSG_RESIDENCY_SEEN, tid);
	return err ? err : begin_interval(r, c, &interval, false);
}

void csg_residency_lost(struct csg_residency *r, int32_t cpu)
{
	for (size_t i = 0; i < r->count; i++)
		if (cpu < 0 || (size_t)cpu == i)
			close_interval(&r->cpus[i], -1);
}

/* --- all records are in --- */

/* Lone records beside a contradiction are none to rely on. */
static void drop_lone_intervals(struct csg_residency_cpu *c)
{
	size_t kept = 0;
	bool dropped = false;

	for (size_t i = 0; i < c->count; i++) {
		struct csg_on_cpu interval = c->intervals[i];
		bool contested =
			interval.contested || (i + 1 < c->count && c->intervals[i + 1].contested);

		interval.joined &= !dropped;
		dropped = contested && !interval.agreed;
		if (!dropped)
			c->intervals[kept++] = interval;
	}
	c->count = kept;
}

/* The hole that a record begins, ends or lies in; of one that names another process the
 * interval. */
static void bound(const struct csg_residency_cpu *c, struct csg_residency_taint *taint)
{
	uint64_t time = taint->begins ? taint->begins : taint->time;
	size_t i;

	CSG_BISECT(i, c->count, c->intervals[i].from < time);
	while (i < c->count && c->intervals[i].from == time && !c->intervals[i].contested)
		i++;
	if (taint->record == CSG_RESIDENCY_PROCESS && i) {
		taint->from = c->intervals[i - 1].from;
		taint->until = c->intervals[i - 1].until;
		return;
	}
	taint->until = i < c->count ? c->intervals[i].from : UINT64_MAX;
	taint->from = i ? c->intervals[i - 1].until : 0;
}

void csg_residency_settle(struct csg_residency *r, int32_t cpu)
{
	struct csg_residency_cpu *c;
	size_t kept = 0;

	if (cpu < 0 || (size_t)cpu >= r->count)
		return;
	c = &r->cpus[cpu];
	drop_lone_intervals(c);
	for (size_t i = 0; i < r->taint_count; i++) {
		struct csg_residency_taint *taint = &r->taints[i];
		const struct csg_residency_taint *before = kept ? &r->taints[kept - 1] : NULL;

		if (taint->cpu == cpu)
			bound(c, taint);
		/* One record may contradict those on either side of it. */
		if (before && before->cpu == taint->cpu && before->from == taint->from &&
		    before->until == taint->until)
			continue;
		r->taints[kept++] = *taint;
	}
	r->taint_count = kept;
}

static void forget_idle(struct csg_residency_cpu *c)
{
	size_t kept = 0;
	bool dropped = false;

	for (size_t i = 0; i < c->count; i++) {
		struct csg_on_cpu interval = c->intervals[i];

		interval.joined &= !dropped;
		dropped = !interval.tid;
		if (!dropped)
			c->intervals[kept++] = interval;
	}
	c->count = kept;
}

void csg_residency_forget_idle(struct csg_residency *r)
{
	for (size_t i = 0; i < r->count; i++)
		forget_idle(&r->cpus[i]);
}

const struct csg_residency_taint *csg_residency_taints(const struct csg_residency *r, size_t *n)
{
	*n = r->taint_count;
	return r->taints;
}

/* The first of n intervals that ends at time or later; n: there is none. */
static size_t first_until(const struct csg_on_cpu *intervals, size_t n, uint64_t time)
{
	size_t i;

	CSG_BISECT(i, n, intervals[i].until < time);
	return i;
}

const struct csg_on_cpu *csg_residency_intervals(const struct csg_residency *r, int32_t cpu,
						 size_t *n)
{
	if (cpu < 0 || (size_t)cpu >= r->count) {
		*n = 0;
		return NULL;
	}
	*n = r->cpus[cpu].count;
	return r->cpus[cpu].intervals;
}

bool csg_residency_is_hole(const struct csg_residency *r, int32_t cpu)
{
	return cpu >= 0 && (size_t)cpu < r->count && r->cpus[cpu].intervals && !r->cpus[cpu].count;
}

const struct csg_on_cpu *csg_residency_at(const struct csg_residency *r, int32_t cpu, uint64_t from,
					  uint64_t until)
{
	size_t n;
	const struct csg_on_cpu *intervals = csg_residency_intervals(r, cpu, &n);
	size_t i = first_until(intervals, n, until);

	return i < n && from <= until && intervals[i].from <= from ? &intervals[i] : NULL;
}

bool csg_residency_among(const struct csg_residency *r, int32_t cpu, uint64_t from, uint64_t until,
			 csg_on_cpu_fn fn, void *arg)
{
	size_t n;
	const struct csg_on_cpu *intervals = csg_residency_intervals(r, cpu, &n);
	size_t i = first_until(intervals, n, from);
	bool whole = i < n && (intervals[i].from <= from || intervals[i].joined);

	/* It begins in a joint: who was leaving may still be there. */
	if (whole && intervals[i].from > from)
		i--;
	for (size_t first = i; i < n; i++) {
		if (i > first && intervals[i - 1].until >= until)
			return whole;
		whole = whole && (i == first || intervals[i].joined);
		if (!whole && intervals[i].from > until)
			return false;
		if (!fn(arg, &intervals[i]))
			return false;
	}
	return whole && i && intervals[i - 1].until >= until;
}
