/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/slices/time_slice_split.h"

#include <stdlib.h>

#include "csguest/error.h"
#include "guest/slices/time_slice_events.h"
#include "util/array.h"

#define BORDERS 8     /* damaged time slices of one run that are looked for */
#define SLICES_EACH 5 /* of a run in which several are, for each of them */

/* A time slice of the run that is not what it seems lies in between, both included. */
struct border {
	size_t low, high;
};

/* Whether a guest in the time slice, if there is one, can have run in the interval, as far as is
 * known. */
static bool may_run(const struct csg_time_slice_match *m, size_t slice, size_t at)
{
	const struct csg_vcpus *vcpus = m->slices->vcpus;

	return !(m->slices->shown[slice] & CSG_TIME_SLICE_GUEST) || !vcpus || !vcpus->count ||
	       csg_vcpus_may_run(vcpus, m->intervals[at].pid, m->intervals[at].tid, CSG_VM_UNKNOWN);
}

/* Whether time slice i of the run can have been the interval, and shows what events say of it. */
static bool is_like(struct csg_time_slice_match *m, const struct csg_time_slice_run *run, size_t i,
		    size_t at)
{
	size_t slice = run->slice + i;
	struct csg_kvm_proof proof = {.any = false};

	return csg_time_slice_may_be(m, slice, at) && may_run(m, slice, at) &&
	       (!i || i + 1 == run->count ||
		csg_time_slice_shows_visits(m, slice, slice, &m->intervals[at], &proof));
}

/* How many time slices of the run have a place, from time slice i on. */
static size_t from(struct csg_time_slice_match *m, const struct csg_time_slice_run *run, size_t i)
{
	size_t most = 0;

	for (size_t at = 0; at < m->interval_count && m->work < CSG_TIME_SLICE_WORK_MAX; at++) {
		size_t n = 0;

		while (i + n < run->count && at + n < m->interval_count &&
		       is_like(m, run, i + n, at + n))
			n++;
		most = n > most ? n : most;
	}
	return most;
}

/* The same of those before time slice i. */
static size_t up_to(struct csg_time_slice_match *m, const struct csg_time_slice_run *run, size_t i)
{
	size_t most = 0;

	for (size_t at = 0; at < m->interval_count && m->work < CSG_TIME_SLICE_WORK_MAX; at++) {
		size_t n = 0;

		while (n < i && n <= at && is_like(m, run, i - 1 - n, at - n))
			n++;
		most = n > most ? n : most;
	}
	return most;
}

/*
 * The fewest time slices without which those between have places.  From the first on each is as
 * late as it can be, from the last on as early.  Returns how many; 0: none is needed, or too many
 * are.
 */
static size_t find_borders(struct csg_time_slice_match *m, const struct csg_time_slice_run *run,
			   struct border borders[BORDERS])
{
	size_t n = 0, left, at;

	for (at = 0; (at += from(m, run, at)) < run->count; at++) {
		if (n == BORDERS)
			return 0;
		borders[n++].high = at;
	}
	left = n;
	for (at = run->count; left && (at -= up_to(m, run, at)) > 0; at--)
		borders[--left].low = at - 1;
	if (left || m->work >= CSG_TIME_SLICE_WORK_MAX || (n > 1 && run->count < n * SLICES_EACH))
		return 0;
	return n;
}

static int add_run(struct csg_time_slice_match *m, const struct csg_time_slice_run *run)
{
	if (!run->count)
		return 0;
	if (csg_array_grow((void **)&m->runs, m->run_count, &m->run_capacity, sizeof(*m->runs)))
		return -CSG_E_NO_MEMORY;
	m->runs[m->run_count++] = *run;
	return 0;
}

/* What lies between two borders; n is that after the last. */
static int add_between(struct csg_time_slice_match *m, const struct csg_time_slice_run *run,
		       const struct border *borders, size_t n, size_t i)
{
	size_t begin = i ? borders[i - 1].high + 1 : 0, end = i < n ? borders[i].low : run->count;

	if (begin >= end)
		return 0;
	return add_run(m, &(struct csg_time_slice_run){.slice = run->slice + begin,
						       .count = end - begin,
						       .torn = (uint8_t)(!i || i == n ? 1 : 2)});
}

static int split(struct csg_time_slice_match *m, const struct csg_time_slice_run *run)
{
	struct border borders[BORDERS];
	size_t n = find_borders(m, run, borders);
	int err = 0;

	if (!n)
		return add_run(m, run);
	for (size_t i = 0; !err && i <= n; i++)
		err = add_between(m, run, borders, n, i);
	for (size_t i = 0; i < n; i++)
		for (size_t k = borders[i].low; k <= borders[i].high; k++)
			m->slices->slices[run->slice + k].events = CSG_TIME_SLICE_EVENTS_CONTRADICT;
	return err;
}

int csg_time_slice_runs_split(struct csg_time_slice_match *m)
{
	struct csg_time_slice_run *runs = m->runs;
	size_t n = m->run_count;
	int err = 0;

	m->runs = NULL;
	m->run_count = m->run_capacity = 0;
	for (size_t r = 0; r < n && !err; r++)
		err = split(m, &runs[r]);
	free(runs);
	return err;
}
