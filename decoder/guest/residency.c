/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/residency.h"

#include <stdlib.h>

#include "csguest/error.h"

void csg_residency_fini(struct csg_residency *r)
{
	for (size_t i = 0; i < r->count; i++)
		free(r->cpus[i].stays);
	free(r->cpus);
	*r = (struct csg_residency){0};
}

/* The state of cpu, made when new.  NULL: out of memory, or no such CPU can be (*error tells). */
static struct csg_residency_cpu *state_of(struct csg_residency *r, int32_t cpu, int *error)
{
	struct csg_residency_cpu *cpus;
	size_t count = (size_t)cpu + 1;

	*error = 0;
	if (cpu < 0 || cpu >= CSG_RESIDENCY_CPUS)
		return NULL;
	if (count <= r->count)
		return &r->cpus[cpu];
	cpus = realloc(r->cpus, count * sizeof(*cpus));
	if (!cpus) {
		*error = -CSG_E_NO_MEMORY;
		return NULL;
	}
	for (size_t i = r->count; i < count; i++)
		cpus[i] = (struct csg_residency_cpu){0};
	r->cpus = cpus;
	r->count = count;
	return &cpus[cpu];
}

static struct csg_stay *last_stay(const struct csg_residency_cpu *c)
{
	return c->count ? &c->stays[c->count - 1] : NULL;
}

static int add_stay(struct csg_residency_cpu *c, const struct csg_stay *stay)
{
	if (c->count == c->room) {
		size_t room = c->room ? c->room * 2 : 64;
		struct csg_stay *stays = realloc(c->stays, room * sizeof(*stays));

		if (!stays)
			return -CSG_E_NO_MEMORY;
		c->stays = stays;
		c->room = room;
	}
	c->stays[c->count++] = *stay;
	return 0;
}

static void close_stay(struct csg_residency_cpu *c, int32_t next)
{
	c->open = false;
	c->expects = next >= 0;
	c->next = next;
}

/* A time before that of the last record: the records do not come in order, and prove nothing. */
static bool goes_back(const struct csg_residency_cpu *c, uint64_t time)
{
	return time > INT64_MAX || (c->count && time < last_stay(c)->until);
}

static int begin_stay(struct csg_residency_cpu *c, uint64_t time, int32_t pid, int32_t tid,
		      bool joined)
{
	const struct csg_stay stay = {
		.from = time, .until = time, .joined = joined, .pid = pid, .tid = tid};

	close_stay(c, -1);
	c->open = true;
	return add_stay(c, &stay);
}

int csg_residency_in(struct csg_residency *r, int32_t cpu, uint64_t time, int32_t pid, int32_t tid,
		     int32_t prev)
{
	int err;
	struct csg_residency_cpu *c = state_of(r, cpu, &err);
	const struct csg_stay *last;
	bool joined;

	if (!c || tid < 0)
		return err;
	if (goes_back(c, time)) {
		c->broken = true;
		close_stay(c, -1);
		return 0;
	}
	last = last_stay(c);
	/* Another event of perf's tells of the same switch. */
	if (c->open && last->tid == tid && last->from == time && last->until == time)
		return 0;
	joined = !c->open && c->expects && c->next == tid && (prev < 0 || last->tid == prev);
	c->broken |= !joined && (c->open || c->expects);
	return begin_stay(c, time, pid, tid, joined);
}

int csg_residency_out(struct csg_residency *r, int32_t cpu, uint64_t time, int32_t pid, int32_t tid,
		      int32_t next)
{
	int err;
	struct csg_residency_cpu *c = state_of(r, cpu, &err);
	struct csg_stay *last;

	if (!c || (tid < 0 && !c->open))
		return err;
	if (goes_back(c, time)) {
		c->broken = true;
		close_stay(c, -1);
		return 0;
	}
	last = last_stay(c);
	if (tid < 0) {
		/* Who is dead has no number any more. */
		pid = last->pid;
		tid = last->tid;
	}
	if (!c->open && last && last->tid == tid && last->until == time && c->next == next)
		return 0; /* the same switch, told again */
	c->broken |= c->open ? last->tid != tid : c->expects;
	if (!c->open || last->tid != tid)
		err = begin_stay(c, time, pid, tid, false);
	if (err)
		return err;
	last_stay(c)->until = time;
	close_stay(c, next);
	return 0;
}

int csg_residency_seen(struct csg_residency *r, int32_t cpu, uint64_t time, int32_t pid,
		       int32_t tid)
{
	int err;
	struct csg_residency_cpu *c = state_of(r, cpu, &err);
	struct csg_stay *last;

	if (!c || goes_back(c, time))
		return err;
	last = last_stay(c);
	if (c->open && (tid < 0 || last->tid == tid)) {
		last->until = time;
		return 0;
	}
	/* Amid a switch, either of the two may be the current thread. */
	if (tid < 0 || (!c->open && c->expects && (tid == c->next || tid == last->tid)))
		return 0;
	c->broken |= c->open || c->expects;
	return begin_stay(c, time, pid, tid, false);
}

void csg_residency_lost(struct csg_residency *r, int32_t cpu)
{
	for (size_t i = 0; i < r->count; i++)
		if (cpu < 0 || (size_t)cpu == i)
			close_stay(&r->cpus[i], -1);
}

/* The first of n stays that ends at time or later; n: there is none. */
static size_t first_until(const struct csg_stay *stays, size_t n, uint64_t time)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (stays[middle].until < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct csg_stay *csg_residency_stays(const struct csg_residency *r, int32_t cpu, size_t *n)
{
	if (cpu < 0 || (size_t)cpu >= r->count) {
		*n = 0;
		return NULL;
	}
	*n = r->cpus[cpu].count;
	return r->cpus[cpu].stays;
}

bool csg_residency_is_broken(const struct csg_residency *r, int32_t cpu)
{
	return cpu >= 0 && (size_t)cpu < r->count && r->cpus[cpu].broken;
}

const struct csg_stay *csg_residency_at(const struct csg_residency *r, int32_t cpu, uint64_t from,
					uint64_t until)
{
	size_t n;
	const struct csg_stay *stays = csg_residency_stays(r, cpu, &n);
	size_t i = first_until(stays, n, until);

	if (csg_residency_is_broken(r, cpu))
		return NULL;
	return i < n && from <= until && stays[i].from <= from ? &stays[i] : NULL;
}

bool csg_residency_among(const struct csg_residency *r, int32_t cpu, uint64_t from, uint64_t until,
			 csg_stay_fn fn, void *arg)
{
	size_t n;
	const struct csg_stay *stays = csg_residency_stays(r, cpu, &n);
	size_t i = first_until(stays, n, from);
	bool whole = i < n && (stays[i].from <= from || stays[i].joined);

	if (csg_residency_is_broken(r, cpu))
		return false;
	/* It begins in a joint: who was leaving may still be there. */
	if (whole && stays[i].from > from)
		i--;
	for (size_t first = i; i < n; i++) {
		if (i > first && stays[i - 1].until >= until)
			return whole;
		whole = whole && (i == first || stays[i].joined);
		if (!whole && stays[i].from > until)
			return false;
		if (!fn(arg, &stays[i]))
			return false;
	}
	return whole && i && stays[i - 1].until >= until;
}
