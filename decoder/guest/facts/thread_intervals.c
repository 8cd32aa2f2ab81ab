/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/thread_intervals.h"

#include <stdlib.h>

#include "csguest/error.h"
#include "util/array.h"

void csg_thread_intervals_fini(struct csg_thread_intervals *by_thread)
{
	csg_keyset_fini(&by_thread->threads);
	free(by_thread->first);
	csg_disk_memory_free(by_thread->memory, by_thread->places,
			     by_thread->place_count * sizeof(*by_thread->places));
	free(by_thread->holes);
	*by_thread = (struct csg_thread_intervals){0};
}

const struct csg_on_cpu_thread *
csg_thread_intervals_of(const struct csg_thread_intervals *by_thread, size_t number,
			const struct csg_on_cpu_place **places, size_t *n)
{
	*places = &by_thread->places[by_thread->first[number]];
	*n = by_thread->first[number + 1] - by_thread->first[number];
	return csg_keyset_get(&by_thread->threads, number);
}

/* What is done with each interval. */
typedef int (*visit_fn)(struct csg_thread_intervals *by_thread, const struct csg_on_cpu *interval,
			struct csg_on_cpu_place place);

static int visit_all(struct csg_thread_intervals *by_thread, const struct csg_residency *residency,
		     visit_fn visit)
{
	int err = 0;

	for (size_t cpu = 0; !err && cpu < residency->count; cpu++) {
		size_t n;
		const struct csg_on_cpu *intervals =
			csg_residency_intervals(residency, (int32_t)cpu, &n);

		for (size_t i = 0; !err && i < n; i++)
			err = visit(by_thread, &intervals[i],
				    (struct csg_on_cpu_place){(uint32_t)cpu, (uint32_t)i});
		csg_disk_memory_trim(residency->memory);
	}
	return err;
}

/* The number of the interval's thread, made when new. */
static int64_t thread_of(struct csg_thread_intervals *by_thread, const struct csg_on_cpu *interval)
{
	const struct csg_on_cpu_thread thread = {interval->pid, interval->tid};

	return csg_keyset_add(&by_thread->threads, &thread);
}

static int add_hole(struct csg_thread_intervals *by_thread, struct csg_on_cpu_place place)
{
	int err = csg_array_grow((void **)&by_thread->holes, by_thread->hole_count,
				 &by_thread->hole_capacity, sizeof(*by_thread->holes));

	if (!err)
		by_thread->holes[by_thread->hole_count++] = place;
	return err;
}

static int list(struct csg_thread_intervals *by_thread, const struct csg_on_cpu *interval,
		struct csg_on_cpu_place place)
{
	int64_t number = thread_of(by_thread, interval);

	if (number < 0)
		return (int)number;
	if (!place.at || interval->joined)
		return 0;
	return add_hole(by_thread, (struct csg_on_cpu_place){place.cpu, place.at - 1});
}

/* first[n + 1] becomes how many intervals thread n has. */
static int count(struct csg_thread_intervals *by_thread, const struct csg_on_cpu *interval,
		 struct csg_on_cpu_place place)
{
	(void)place;
	by_thread->first[thread_of(by_thread, interval) + 1]++;
	return 0;
}

/* first[n] moves from thread n's first place to that of the thread after it. */
static int put(struct csg_thread_intervals *by_thread, const struct csg_on_cpu *interval,
	       struct csg_on_cpu_place place)
{
	by_thread->places[by_thread->first[thread_of(by_thread, interval)]++] = place;
	return 0;
}

int csg_thread_intervals_make(struct csg_thread_intervals *by_thread,
			      const struct csg_residency *residency)
{
	size_t n, all = 0;
	int err;

	csg_keyset_init(&by_thread->threads, sizeof(struct csg_on_cpu_thread));
	err = visit_all(by_thread, residency, list);
	n = by_thread->threads.count;
	by_thread->first = calloc(n + 1, sizeof(*by_thread->first));
	if (err || !by_thread->first)
		return -CSG_E_NO_MEMORY;
	visit_all(by_thread, residency, count);
	for (size_t i = 0; i <= n; i++)
		by_thread->first[i] = all += by_thread->first[i];
	by_thread->memory = residency->memory;
	by_thread->place_count = all ? all : 1;
	by_thread->places = csg_disk_memory_alloc(
		by_thread->memory, by_thread->place_count * sizeof(*by_thread->places));
	if (!by_thread->places)
		return -CSG_E_NO_MEMORY;
	visit_all(by_thread, residency, put);
	for (size_t i = n; i > 0; i--)
		by_thread->first[i] = by_thread->first[i - 1];
	by_thread->first[0] = 0;
	return 0;
}
