/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/guest_fit.h"

#include <stdlib.h>

#include "util/array.h"
#include "util/bisect.h"
#include "clock/fit.h"
#include "csguest/error.h"
#include "guest/vmm_life.h"

#define EVENTS_MAX 5000	 /* looked at; more would prove no more */
#define EVENTS_ENOUGH 8	 /* that lie inside the host's recording: fewer may fit by chance */
#define ROUNDING_TICKS 2 /* of a conversion there and back */
#define ANY_CPU (-1)
#define INJECTED_NS 1000   /* that what was injected may be off: conversion and rounding */
#define LIFE_SLACK_NS 1000 /* conversion and rounding of a FORK's or an EXIT's time */
#define TOGETHER                                                                                   \
	100	/* of a guest's records lie in the host's recording if both were made together */
#define SURE 50 /* exp(-SURE) is the chance that is taken for none */

/* Whose stays are meant: those of one thread, or of all that may run a vCPU of vm. */
struct whose {
	int32_t vm;
	int32_t tid;   /* CSG_PID_UNKNOWN: all */
	bool unlisted; /* of all: those that no source says to run a vCPU */
};

struct times {
	struct csg_fit_time *times;
	size_t count, room;
	uint64_t begin, end; /* what all CPUs' records cover */
};

static int add(struct times *t, uint64_t from, uint64_t until)
{
	int err = csg_array_grow((void **)&t->times, t->count, &t->room, sizeof(*t->times));

	if (!err)
		t->times[t->count++] = (struct csg_fit_time){from, until};
	return err;
}

static bool is_of(const struct csg_facts *facts, const struct csg_stay_thread *thread,
		  const struct whose *whose)
{
	const struct csg_vcpu_entry *entry;

	if (whose->tid != CSG_PID_UNKNOWN)
		return thread->tid == whose->tid;
	if (!csg_vcpus_may_run(&facts->vcpus, thread->pid, thread->tid, whose->vm))
		return false;
	entry = whose->unlisted ? csg_vcpus_find(&facts->vcpus, thread->pid, thread->tid) : NULL;
	return !entry || entry->vm != whose->vm;
}

static int add_between(const struct csg_facts *facts, struct times *t, uint64_t from,
		       uint64_t until)
{
	const struct csg_time_conv *conv = &facts->clocks.conv;

	return add(t, csg_time_conv_to_counter(conv, from),
		   csg_time_conv_to_counter(conv, until + 1));
}

/* Anybody may have been on a CPU before its records begin, and after they end. */
static int add_cpu(const struct csg_facts *facts, const struct csg_stay *stays, size_t n,
		   struct times *t)
{
	const struct csg_time_conv *conv = &facts->clocks.conv;
	uint64_t first = csg_time_conv_to_counter(conv, stays[0].from);
	uint64_t last = csg_time_conv_to_counter(conv, stays[n - 1].until);
	int err = add(t, 0, first);

	t->begin = first > t->begin ? first : t->begin;
	t->end = last < t->end ? last : t->end;
	return err ? err : add(t, last, UINT64_MAX);
}

static int add_cpus(const struct csg_facts *facts, struct times *t)
{
	int err = 0;

	for (size_t cpu = 0; !err && cpu < facts->residency.count; cpu++) {
		size_t n;
		const struct csg_stay *stays =
			csg_residency_stays(&facts->residency, (int32_t)cpu, &n);

		if (csg_residency_is_hole(&facts->residency, (int32_t)cpu))
			err = add(t, 0, UINT64_MAX);
		else if (n)
			err = add_cpu(facts, stays, n, t);
	}
	return err;
}

/* The intervals of the CPU from this place on. */
static const struct csg_stay *stay_at(const struct csg_facts *facts, struct csg_stay_place place)
{
	return &facts->residency.cpus[place.cpu].stays[place.at];
}

static int add_holes(const struct csg_facts *facts, const struct csg_thread_stays *by_thread,
		     struct times *t)
{
	int err = 0;

	for (size_t i = 0; !err && i < by_thread->hole_count; i++) {
		const struct csg_stay *stay = stay_at(facts, by_thread->holes[i]);

		err = add_between(facts, t, stay[0].until, stay[1].from);
	}
	return err;
}

/* Between the records of one switch only the kernel runs, of the thread before it or after it. */
static int add_thread(const struct csg_facts *facts, const struct csg_stay_place *places, size_t n,
		      struct times *t)
{
	int err = 0;

	for (size_t i = 0; !err && i < n; i++) {
		const struct csg_stay *stay = stay_at(facts, places[i]);
		bool hole_before = places[i].at && !stay->joined;

		err = add_between(facts, t, hole_before ? stay[-1].until : stay->from, stay->until);
	}
	return err;
}

static int by_from(const void *a, const void *b)
{
	const struct csg_fit_time *x = a, *y = b;

	return x->from < y->from ? -1 : x->from > y->from;
}

static void join(struct times *t)
{
	size_t n = 0;

	qsort(t->times, t->count, sizeof(*t->times), by_from);
	for (size_t i = 0; i < t->count; i++) {
		if (n && t->times[i].from <= t->times[n - 1].until) {
			if (t->times[i].until > t->times[n - 1].until)
				t->times[n - 1].until = t->times[i].until;
		} else {
			t->times[n++] = t->times[i];
		}
	}
	t->count = n;
}

/* When the guest may have run: while its vCPU threads were on a CPU, and while anybody may have been. */
static int make_times(const struct csg_facts *facts, const struct whose *whose, struct times *t)
{
	const struct csg_thread_stays *by_thread = csg_facts_by_thread(facts);
	int err;

	*t = (struct times){.end = UINT64_MAX};
	if (!by_thread)
		return -CSG_E_NO_MEMORY;
	err = add_cpus(facts, t);
	if (!err)
		err = add_holes(facts, by_thread, t);
	for (size_t i = 0; !err && i < by_thread->threads.count; i++) {
		const struct csg_stay_place *places;
		size_t n;
		const struct csg_stay_thread *thread =
			csg_thread_stays_of(by_thread, i, &places, &n);

		if (is_of(facts, thread, whose))
			err = add_thread(facts, places, n, t);
	}
	if (t->count)
		join(t);
	return err;
}

/* How far the records' counter is behind the host's: injected ones are claimed not to be. */
static bool offset_of(const struct csg_facts *facts, int32_t vm,
		      const struct csg_attribution_clock *clock, struct csg_offset *offset)
{
	const struct csg_time_conv *conv = &facts->clocks.conv;
	int64_t off;

	if (!clock->host_time)
		return csg_facts_any_offset(facts, vm, offset);
	off = (int64_t)(csg_time_conv_to_counter(conv, conv->zero + INJECTED_NS) -
			csg_time_conv_to_counter(conv, conv->zero));
	*offset = (struct csg_offset){-off, off};
	return true;
}

static bool is_inside(const struct times *t, const struct csg_offset *offset, uint64_t low,
		      uint64_t high)
{
	int64_t from = (int64_t)low + offset->low, until = (int64_t)high + offset->high;

	return from > 0 && (uint64_t)from >= t->begin && until > 0 && (uint64_t)until <= t->end;
}

/* What the guest's counter stood at when a record says ns. */
static void counter_of(const struct csg_attribution_clock *clock, uint64_t ns, uint64_t *low,
		       uint64_t *high)
{
	*low = csg_time_conv_to_counter(&clock->conv, ns);
	*high = csg_time_conv_to_counter(&clock->conv, ns + 1) + ROUNDING_TICKS;
	*low = *low > ROUNDING_TICKS ? *low - ROUNDING_TICKS : 0;
}

/* What was recorded on cpu, by which records are in order then; ANY_CPU: on all. */
static int try(const struct times *t, const struct csg_attribution_clock *clock,
	       const struct csg_switches *switches, int32_t cpu, const struct csg_offset *offset,
	       enum csg_guest_fits *fits)
{
	struct csg_offset result;
	struct csg_fit fit;
	size_t inside = 0, i = 0;
	int err = csg_fit_init(&fit, t->times, t->count, offset);

	if (cpu != ANY_CPU)
		CSG_BISECT(i, switches->count, switches->records[i].cpu < cpu);
	for (; !err && i < switches->count && inside < EVENTS_MAX; i++) {
		uint64_t low, high;

		counter_of(clock, switches->records[i].time, &low, &high);
		if (cpu != ANY_CPU && switches->records[i].cpu != cpu)
			break;
		if (!is_inside(t, offset, low, high) || csg_switches_is_lone(switches, i))
			continue;
		inside++;
		err = csg_fit_event(&fit, low, high);
	}
	if (!err && !csg_fit_offset(&fit, &result))
		*fits = CSG_GUEST_FITS_NOT;
	else if (!err && inside >= EVENTS_ENOUGH)
		*fits = CSG_GUEST_FITS;
	csg_fit_fini(&fit);
	return err;
}

/* The records of each of n CPUs, or of all together. */
static int fit(const struct csg_facts *facts, const struct whose *whose,
	       const struct csg_attribution_clock *clock, const struct csg_switches *switches,
	       const int32_t *cpus, size_t n, enum csg_guest_fits *fits)
{
	struct csg_offset offset;
	struct times t;
	int err;

	for (size_t i = 0; i < n; i++)
		fits[i] = CSG_GUEST_FIT_UNKNOWN;
	if (!clock->conv.valid || !facts->clocks.conv.valid ||
	    !offset_of(facts, whose->vm, clock, &offset))
		return 0;
	err = make_times(facts, whose, &t);
	for (size_t i = 0; !err && i < n && t.count && t.begin < t.end; i++)
		err = try(&t, clock, switches, cpus[i], &offset, &fits[i]);
	free(t.times);
	return err;
}

/* Whether something was recorded before the VM's process began, or after it had ended. */
static bool is_outlived(const struct csg_facts *facts, int32_t vm,
			const struct csg_attribution_clock *clock,
			const struct csg_switches *switches)
{
	const struct csg_time_conv *conv = &facts->clocks.conv;
	const struct csg_facts_machine *host = csg_facts_find(facts, CSG_VM_HOST);
	const struct csg_vmm_life life =
		host ? csg_vmm_life(host, vm) : (struct csg_vmm_life){0, UINT64_MAX};
	struct csg_offset offset;
	uint64_t first = 0, last = UINT64_MAX, low, high;

	if (!clock->conv.valid || !conv->valid || !offset_of(facts, vm, clock, &offset))
		return false;
	if (life.from > LIFE_SLACK_NS)
		first = csg_time_conv_to_counter(conv, life.from - LIFE_SLACK_NS);
	if (life.until < UINT64_MAX - LIFE_SLACK_NS)
		last = csg_time_conv_to_counter(conv, life.until + LIFE_SLACK_NS);
	for (size_t i = 0; i < switches->count; i++) {
		if (csg_switches_is_lone(switches, i))
			continue;
		counter_of(clock, switches->records[i].time, &low, &high);
		if ((int64_t)high + offset.high < (int64_t)first ||
		    (last < INT64_MAX && (int64_t)low + offset.low > (int64_t)last))
			return true;
	}
	return false;
}

int csg_guest_fit(const struct csg_facts *facts, int32_t vm,
		  const struct csg_attribution_clock *clock, const struct csg_switches *switches,
		  enum csg_guest_fits *fits)
{
	const struct whose whose = {.vm = vm, .tid = CSG_PID_UNKNOWN};
	const int32_t all = ANY_CPU;

	if (is_outlived(facts, vm, clock, switches)) {
		*fits = CSG_GUEST_FITS_NOT;
		return 0;
	}
	return fit(facts, &whose, clock, switches, &all, 1, fits);
}

int csg_guest_fit_cpus(const struct csg_facts *facts, const struct csg_facts_machine *guest,
		       int32_t tid, const int32_t *cpus, size_t n, enum csg_guest_fits *fits)
{
	const struct whose whose = {.vm = guest->vm, .tid = tid, .unlisted = true};

	return fit(facts, &whose, &guest->clock, &guest->switches, cpus, n, fits);
}

/* --- the offset --- */

/* Whether the host's records tell of each of its CPUs who was there: a silent one may have run a vCPU. */
static bool tells_of_all_cpus(const struct csg_facts *facts)
{
	uint32_t cpus = csg_facts_clock(facts, CSG_VM_HOST)->cpus;
	size_t n;

	for (uint32_t cpu = 0; cpu < cpus; cpu++)
		if (!csg_residency_stays(&facts->residency, (int32_t)cpu, &n) || !n)
			return false;
	return cpus && cpus >= facts->residency.count;
}

static int by_counter(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/*
 * The offsets by which so many of the guest's records lie in what the host recorded; low > high: there are
 * none.
 */
static int suppose_together(const struct times *t, const struct csg_facts_machine *guest,
			    struct csg_offset *within)
{
	size_t n = guest->switches.count;
	uint64_t *counters = malloc((n ? n : 1) * sizeof(*counters)), high;

	*within = (struct csg_offset){1, 0};
	if (!counters)
		return -CSG_E_NO_MEMORY;
	for (size_t i = 0; i < n; i++)
		counter_of(&guest->clock, guest->switches.records[i].time, &counters[i], &high);
	qsort(counters, n, sizeof(*counters), by_counter);
	if (n >= TOGETHER)
		*within = (struct csg_offset){(int64_t)(t->begin - counters[n - TOGETHER]),
					      (int64_t)(t->end - counters[TOGETHER - 1])};
	free(counters);
	return 0;
}

/* Notes that something happened at a counter of the host: what was seen lasted from then, or until. */
static void extend(struct csg_offset_piece *seen, const struct times *t, uint64_t counter)
{
	if (counter < t->begin || counter > t->end)
		return;
	seen->from = counter < seen->from ? counter : seen->from;
	seen->until = counter > seen->until ? counter : seen->until;
}

/* What of seen->offset remains.  seen->events is 0 where nothing does. */
static int fit_all(const struct times *t, const struct csg_facts_machine *guest,
		   struct csg_offset_piece *seen, size_t *ways)
{
	struct csg_fit fit;
	uint64_t low, high;
	int err = csg_fit_init(&fit, t->times, t->count, &seen->offset);

	for (size_t i = 0; !err && i < guest->switches.count; i++) {
		if (csg_switches_is_lone(&guest->switches, i))
			continue;
		counter_of(&guest->clock, guest->switches.records[i].time, &low, &high);
		err = csg_fit_event(&fit, low, high);
	}
	*ways = fit.count;
	if (!err && csg_fit_offset(&fit, &seen->offset))
		seen->events = fit.events;
	csg_fit_fini(&fit);
	seen->from = UINT64_MAX;
	for (size_t i = 0; i < guest->switches.count; i++) {
		if (csg_switches_is_lone(&guest->switches, i))
			continue;
		counter_of(&guest->clock, guest->switches.records[i].time, &low, &high);
		extend(seen, t, low + (uint64_t)seen->offset.low);
		extend(seen, t, high + (uint64_t)seen->offset.high);
	}
	return err;
}

/* In how many times something of the guest's happened, by this offset. */
static int count_hits(const struct times *t, const struct csg_facts_machine *guest,
		      const struct csg_offset *offset, size_t *hits)
{
	bool *hit = calloc(t->count, sizeof(*hit));
	size_t at;

	*hits = 0;
	if (!hit)
		return -CSG_E_NO_MEMORY;
	for (size_t i = 0; i < guest->switches.count; i++) {
		uint64_t low, high;

		counter_of(&guest->clock, guest->switches.records[i].time, &low, &high);
		if (!is_inside(t, offset, low, high) || csg_switches_is_lone(&guest->switches, i))
			continue;
		CSG_BISECT(at, t->count, t->times[at].until < low + (uint64_t)offset->low);
		*hits += at < t->count && !hit[at];
		hit[at < t->count ? at : 0] = true;
	}
	free(hit);
	return 0;
}

/*
 * Whether what fits can be no chance.  By chance each of the times in which something happened would be hit
 * with the share of all time that they are, so that all are with exp(-hits * (1 - share)) at most.
 */
static bool is_no_chance(const struct times *t, size_t hits)
{
	uint64_t span = t->end - t->begin, covered = 0;

	for (size_t i = 0; i < t->count; i++)
		if (t->times[i].from >= t->begin && t->times[i].until <= t->end)
			covered += t->times[i].until - t->times[i].from;
	return covered < span && (double)hits * (double)(span - covered) >= SURE * (double)span;
}

/* By the guest's records alone, if the two recordings were made together and fit in one way only. */
static int fit_together(const struct times *t, const struct csg_facts_machine *guest,
			struct csg_offset_piece *seen)
{
	size_t ways, hits;
	int err = suppose_together(t, guest, &seen->offset);

	if (err || seen->offset.low > seen->offset.high)
		return err;
	err = fit_all(t, guest, seen, &ways);
	if (!err && seen->events)
		err = count_hits(t, guest, &seen->offset, &hits);
	if (!err && seen->events && (ways != 1 || !is_no_chance(t, hits)))
		seen->events = 0;
	return err;
}

/*
 * What the guest's records tell of its offset, within what is known of it (seen->offset, if known):
 * seen->events is 0 where they tell nothing.
 */
static int fit_known(const struct csg_facts *facts, const struct csg_facts_machine *guest,
		     bool known, struct csg_offset_piece *seen)
{
	const struct whose whose = {.vm = guest->vm, .tid = CSG_PID_UNKNOWN};
	struct times t;
	size_t ways;
	int err;

	if (guest->clock.host_time || guest->switches_lie || !guest->clock.conv.valid ||
	    !facts->clocks.conv.valid || !tells_of_all_cpus(facts))
		return 0;
	err = make_times(facts, &whose, &t);
	if (!err && t.count && t.begin < t.end)
		err = known ? fit_all(&t, guest, seen, &ways) : fit_together(&t, guest, seen);
	free(t.times);
	return err;
}

/* The guest's records agree with what the trace has shown of the offset, or contradict it. */
static void note_offset(struct csg_facts *facts, int agrees, uint64_t counter)
{
	struct csg_assumption_place *place = csg_findings_add(
		&facts->findings, CSG_ASSUMPTION_COUNTER_OFFSET, agrees > 0, agrees != 0);

	if (place)
		place->time = csg_time_conv_to_ns(&facts->clocks.conv, counter);
}

int csg_guest_narrow(struct csg_facts *facts, int32_t vm)
{
	const struct csg_offset_vm *timeline = csg_offsets_of(&facts->clocks.offsets, vm);
	const struct csg_facts_machine *guest = csg_facts_find(facts, vm);
	struct csg_offset_piece seen = {.sources = CSG_OFFSET_BY_EVENTS};
	bool shown = csg_facts_shown_offset(facts, vm, &seen.offset);
	int agrees, err;

	if (!guest || (timeline && !shown))
		return 0;
	err = fit_known(facts, guest, shown, &seen);
	if (err || !seen.events || seen.from > seen.until)
		return err;
	err = csg_offsets_compare(&facts->clocks.offsets, vm, &seen, &agrees);
	note_offset(facts, agrees, seen.from);
	return err;
}

int csg_guest_tell_offset(const struct csg_facts *facts, struct csg_facts_machine *guest)
{
	struct csg_offset_piece seen = {.events = 0};
	struct csg_offset known;
	bool any = csg_facts_offset(facts, guest->vm, &known);
	int err = 0;

	if (guest->sought_offset)
		return 0;
	guest->sought_offset = true;
	/* Not where there are several offsets, or one that is contradicted. */
	if (any || !csg_offsets_of(&facts->clocks.offsets, guest->vm))
		err = fit_known(facts, guest, false, &seen);
	guest->has_told_offset =
		!err && seen.events &&
		(!any || (seen.offset.low <= known.high && known.low <= seen.offset.high));
	guest->told_offset = seen.offset;
	return err;
}
