/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "csguest/error.h"
#include "waits/waits.h"
#include "util/bisect.h"

/* From when on, between two times, a thread that is on no CPU may be on one; until: never. */
static uint64_t unsure_from(const struct csg_waits *w, uint64_t from, uint64_t until)
{
	size_t i;

	CSG_BISECT(i, w->hole_count, w->holes[i].until <= from);
	if (i == w->hole_count || w->holes[i].from >= until)
		return until;
	return w->holes[i].from > from ? w->holes[i].from : from;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t end_of(const struct csg_wait_thread *t, size_t i)
{
	return i + 1 < t->count ? t->spans[i + 1].from : UINT64_MAX;
}

struct each {
	void *arg;
	void (*fn)(void *arg, enum csg_wait_state state, uint64_t from, uint64_t until);
};

static void give(const struct each *each, uint32_t state, uint64_t from, uint64_t until)
{
	if (until > from)
		each->fn(each->arg, (enum csg_wait_state)state, from, until);
}

/* The part of span i between two times: a hole changes what is known from its begin on. */
static void give_part(const struct csg_waits *w, const struct csg_wait_thread *t, size_t i,
		      uint64_t from, uint64_t until, const struct each *each)
{
	const struct csg_wait_span *span = &t->spans[i];
	uint64_t sure = until;

	if (span->state == CSG_WAIT_ENDED)
		return;
	if (span->state != CSG_WAIT_RUNNING)
		sure = larger(from, smaller(until, unsure_from(w, span->from, until)));
	give(each, span->state, from, sure);
	give(each, CSG_WAIT_UNKNOWN, sure, until);
}

/* The first span that ends after then. */
static size_t span_at(const struct csg_wait_thread *t, uint64_t time)
{
	size_t i;

	CSG_BISECT(i, t->count, end_of(t, i) <= time);
	return i;
}

uint64_t csg_waits_born(const struct csg_waits *w, int32_t vm, int32_t tid, uint64_t from)
{
	const struct csg_wait_thread *t = csg_wait_thread_of(w, vm, tid);

	return t ? larger(from, t->born) : from;
}

void csg_waits_each(const struct csg_waits *w, int32_t vm, int32_t tid, uint64_t from,
		    uint64_t until,
		    void (*fn)(void *arg, enum csg_wait_state state, uint64_t from, uint64_t until),
		    void *arg)
{
	const struct csg_wait_thread *t = csg_wait_thread_of(w, vm, tid);
	const struct each each = {arg, fn};
	uint64_t first;

	if (!t)
		return;
	first = smaller(until, t->count ? t->spans[0].from : UINT64_MAX);
	from = larger(from, t->born);
	give(&each, CSG_WAIT_UNKNOWN, from, first);
	for (size_t i = span_at(t, from); i < t->count && t->spans[i].from < until; i++) {
		uint64_t begin = larger(from, t->spans[i].from), end = smaller(until, end_of(t, i));

		if (end > begin)
			give_part(w, t, i, begin, end, &each);
	}
}

void csg_waits_each_halt(
	const struct csg_waits *w, const struct csg_wait_thread *t, uint64_t from, uint64_t until,
	void (*fn)(void *arg, enum csg_wait_state was, uint64_t from, uint64_t until), void *arg)
{
	const struct each each = {arg, fn};

	from = larger(from, t->born);
	for (size_t i = span_at(t, from); i < t->count && t->spans[i].from < until; i++) {
		const struct csg_wait_span *span = &t->spans[i];
		const uint64_t begin = larger(from, span->from), end = smaller(until, end_of(t, i));

		if (span->state == CSG_WAIT_HALTED && end > begin)
			give(&each, span->was, begin,
			     larger(begin, smaller(end, unsure_from(w, span->from, end))));
	}
}

static void add(void *arg, enum csg_wait_state state, uint64_t from, uint64_t until)
{
	struct csg_wait_sums *sums = arg;

	sums->time[state] += until - from;
}

void csg_waits_between(const struct csg_waits *w, int32_t vm, int32_t tid, uint64_t from,
		       uint64_t until, struct csg_wait_sums *sums)
{
	csg_waits_each(w, vm, tid, from, until, add, sums);
}

/* Times by number in `others`, and which of them are not 0. */
struct tally {
	uint64_t *time;
	uint32_t *seen;
	size_t n;
};

static void tally_others(const struct csg_waits *w, const struct csg_wait_thread *t, int32_t cpu,
			 uint64_t from, uint64_t until, struct tally *tally)
{
	const struct csg_wait_cpu *c = &w->cpus[cpu];
	size_t i;

	CSG_BISECT(i, c->count, c->switches[i].from <= from);
	for (i -= i > 0; i < c->count && c->switches[i].from < until; i++) {
		const uint64_t end = i + 1 < c->count ? c->switches[i + 1].from : UINT64_MAX;
		const uint64_t begin = larger(from, c->switches[i].from);
		const uint32_t who = c->switches[i].who;

		if (who == CSG_WAIT_NOBODY || smaller(until, end) <= begin)
			continue;
		/* It is being switched in itself. */
		if (((const int32_t *)csg_keyset_get(&w->others, who))[1] == t->tid)
			continue;
		if (!tally->time[who])
			tally->seen[tally->n++] = who;
		tally->time[who] += smaller(until, end) - begin;
	}
}

/* Others may run instead of a thread that could. */
static bool could_run(const struct csg_wait_span *span)
{
	return span->state == CSG_WAIT_PREEMPTED || span->state == CSG_WAIT_RUNNABLE;
}

/* Of spans of a thread in which it could run, and came where it had been, or was to run. */
static void tally_thread(const struct csg_waits *w, const struct csg_wait_thread *t, uint64_t from,
			 uint64_t until, struct tally *tally)
{
	for (size_t i = span_at(t, from); i + 1 < t->count && t->spans[i].from < until; i++) {
		const struct csg_wait_span *span = &t->spans[i];
		const uint64_t end = end_of(t, i);

		if (could_run(span) && span[1].state == CSG_WAIT_RUNNING &&
		    span[1].cpu == span->cpu && unsure_from(w, span->from, end) == end)
			tally_others(w, t, span->cpu, larger(from, span->from), smaller(until, end),
				     tally);
	}
}

static int by_time(const void *pa, const void *pb)
{
	const struct csg_wait_ran *a = pa, *b = pb;

	if (a->time != b->time)
		return a->time < b->time ? 1 : -1;
	return a->tid < b->tid ? -1 : a->tid > b->tid;
}

static int make_rows(const struct csg_waits *w, const struct tally *tally,
		     struct csg_wait_ran **rows, size_t *n)
{
	*rows = calloc(tally->n ? tally->n : 1, sizeof(**rows));
	if (!*rows)
		return -CSG_E_NO_MEMORY;
	for (size_t i = 0; i < tally->n; i++) {
		const int32_t *key = csg_keyset_get(&w->others, tally->seen[i]);

		(*rows)[i] = (struct csg_wait_ran){key[0], key[1], tally->time[tally->seen[i]]};
	}
	qsort(*rows, tally->n, sizeof(**rows), by_time);
	*n = tally->n;
	return 0;
}

int csg_waits_ran_instead(const struct csg_waits *w, int32_t vm, uint64_t from, uint64_t until,
			  struct csg_wait_ran **rows, size_t *n)
{
	struct tally tally = {.time = calloc(w->others.count + 1, sizeof(*tally.time)),
			      .seen = calloc(w->others.count + 1, sizeof(*tally.seen))};
	int err = -CSG_E_NO_MEMORY;

	*rows = NULL;
	*n = 0;
	csg_waits_trim(w);
	if (tally.time && tally.seen) {
		for (size_t i = 0; i < w->thread_count; i++)
			if (w->threads[i].vm == vm)
				tally_thread(w, &w->threads[i], from, until, &tally);
		err = make_rows(w, &tally, rows, n);
	}
	free(tally.time);
	free(tally.seen);
	return err;
}
