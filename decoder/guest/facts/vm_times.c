/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/vm_times.h"

#include <stdlib.h>

#include "util/array.h"
#include "csguest/error.h"

#define ROUNDING_TICKS 2 /* of a conversion there and back */

static int add(struct csg_vm_times *t, uint64_t from, uint64_t until)
{
	int err = csg_array_grow((void **)&t->times, t->count, &t->capacity, sizeof(*t->times));

	if (!err)
		t->times[t->count++] = (struct csg_fit_time){from, until};
	return err;
}

static bool is_of(const struct csg_facts *facts, const struct csg_on_cpu_thread *thread,
		  const struct csg_vm_times_of *of)
{
	const struct csg_vcpu_entry *entry;

	if (of->tid != CSG_PID_UNKNOWN)
		return thread->tid == of->tid;
	if (!csg_vcpus_may_run(&facts->vcpus, thread->pid, thread->tid, of->vm))
		return false;
	entry = of->unlisted ? csg_vcpus_find(&facts->vcpus, thread->pid, thread->tid) : NULL;
	return !entry || entry->vm != of->vm;
}

static int add_between(const struct csg_facts *facts, struct csg_vm_times *t, uint64_t from,
		       uint64_t until)
{
	const struct csg_time_conv *conv = &facts->clocks.conv;

	return add(t, csg_time_conv_to_counter(conv, from),
		   csg_time_conv_to_counter(conv, until + 1));
}

/* Anybody may have been on a CPU before its records begin, and after they end. */
static int add_cpu(const struct csg_facts *facts, const struct csg_on_cpu *intervals, size_t n,
		   struct csg_vm_times *t)
{
	const struct csg_time_conv *conv = &facts->clocks.conv;
	uint64_t first = csg_time_conv_to_counter(conv, intervals[0].from);
	uint64_t last = csg_time_conv_to_counter(conv, intervals[n - 1].until);
	int err = add(t, 0, first);

	t->begin = first > t->begin ? first : t->begin;
	t->end = last < t->end ? last : t->end;
	return err ? err : add(t, last, UINT64_MAX);
}

static int add_cpus(const struct csg_facts *facts, struct csg_vm_times *t)
{
	int err = 0;

	for (size_t cpu = 0; !err && cpu < facts->residency.count; cpu++) {
		size_t n;
		const struct csg_on_cpu *intervals =
			csg_residency_intervals(&facts->residency, (int32_t)cpu, &n);

		if (csg_residency_is_hole(&facts->residency, (int32_t)cpu))
			err = add(t, 0, UINT64_MAX);
		else if (n)
			err = add_cpu(facts, intervals, n, t);
		csg_disk_memory_trim(facts->memory);
	}
	return err;
}

/* The intervals of the CPU from this place on. */
static const struct csg_on_cpu *interval_at(const struct csg_facts *facts,
					    struct csg_on_cpu_place place)
{
	return &facts->residency.cpus[place.cpu].intervals[place.at];
}

static int add_holes(const struct csg_facts *facts, const struct csg_thread_intervals *by_thread,
		     struct csg_vm_times *t)
{
	int err = 0;

	for (size_t i = 0; !err && i < by_thread->hole_count; i++) {
		const struct csg_on_cpu *interval = interval_at(facts, by_thread->holes[i]);

		err = add_between(facts, t, interval[0].until, interval[1].from);
	}
	return err;
}

/* Between the records of one switch only the kernel runs, of the thread before it or after it. */
static int add_thread(const struct csg_facts *facts, const struct csg_on_cpu_place *places,
		      size_t n, struct csg_vm_times *t)
{
	int err = 0;

	for (size_t i = 0; !err && i < n; i++) {
		const struct csg_on_cpu *interval = interval_at(facts, places[i]);
		bool hole_before = places[i].at && !interval->joined;

		err = add_between(facts, t, hole_before ? interval[-1].until : interval->from,
				  interval->until);
	}
	return err;
}

static int by_from(const void *a, const void *b)
{
	const struct csg_fit_time *x = a, *y = b;

	return x->from < y->from ? -1 : x->from > y->from;
}

static void join(struct csg_vm_times *t)
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

int csg_vm_times_make(const struct csg_facts *facts, const struct csg_vm_times_of *of,
		      struct csg_vm_times *t)
{
	const struct csg_thread_intervals *by_thread = csg_facts_by_thread(facts);
	int err;

	*t = (struct csg_vm_times){.end = UINT64_MAX};
	if (!by_thread)
		return -CSG_E_NO_MEMORY;
	err = add_cpus(facts, t);
	if (!err)
		err = add_holes(facts, by_thread, t);
	for (size_t i = 0; !err && i < by_thread->threads.count; i++) {
		const struct csg_on_cpu_place *places;
		size_t n;
		const struct csg_on_cpu_thread *thread =
			csg_thread_intervals_of(by_thread, i, &places, &n);

		if (!is_of(facts, thread, of))
			continue;
		err = add_thread(facts, places, n, t);
		csg_disk_memory_trim(facts->memory);
	}
	if (t->count)
		join(t);
	return err;
}

bool csg_vm_times_cover(const struct csg_vm_times *t, const struct csg_offset *offset, uint64_t low,
			uint64_t high)
{
	int64_t from = (int64_t)low + offset->low, until = (int64_t)high + offset->high;

	return from > 0 && (uint64_t)from >= t->begin && until > 0 && (uint64_t)until <= t->end;
}

void csg_vm_times_counter(const struct csg_attribution_clock *clock, uint64_t ns, uint64_t *low,
			  uint64_t *high)
{
	*low = csg_time_conv_to_counter(&clock->conv, ns);
	*high = csg_time_conv_to_counter(&clock->conv, ns + 1) + ROUNDING_TICKS;
	*low = *low > ROUNDING_TICKS ? *low - ROUNDING_TICKS : 0;
}
