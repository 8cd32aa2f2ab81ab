/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/slices/time_slice_events.h"

#include "util/bisect.h"

/* The first visit that was not over before time. */
static size_t visit_from(const struct csg_time_slice_match *m, uint64_t time)
{
	size_t i;

	CSG_BISECT(i, m->visit_count, m->visits[i].left < time);
	return i;
}

/* Whether all that was reported in the interval can be asked of the time slice. */
static bool is_plain(const struct csg_on_cpu *interval, const struct csg_kvm_visit *visits,
		     size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (visits[i].untrusted || visits[i].tid != interval->tid ||
		    visits[i].entered < interval->from || visits[i].left > interval->until)
			return false;
	return true;
}

/* The first visit that was reported in the interval; *n gets how many there are. */
static size_t visits_in(const struct csg_time_slice_match *m, const struct csg_on_cpu *interval,
			size_t *n)
{
	size_t first = visit_from(m, interval->from);

	for (*n = 0;
	     first + *n < m->visit_count && m->visits[first + *n].entered <= interval->until;)
		++*n;
	return first;
}

/* The first sight that the time slice shows. */
static size_t sight_from(const struct csg_time_slice_match *m, size_t slice)
{
	return slice > m->first ? m->slices->seen[slice - 1] : 0;
}

bool csg_time_slice_shows_visits(struct csg_time_slice_match *m, size_t from, size_t to,
				 const struct csg_on_cpu *interval, struct csg_kvm_proof *proof)
{
	const struct csg_time_slices *t = m->slices;
	size_t begin = sight_from(m, from), n, first = visits_in(m, interval, &n);

	m->work += n + t->seen[to] - begin;
	return !is_plain(interval, &m->visits[first], n) ||
	       csg_kvm_visits_show(&m->visits[first], n, &t->sights[begin], t->seen[to] - begin,
				   proof);
}

bool csg_time_slice_shows_nearest(struct csg_time_slice_match *m, size_t slice,
				  const struct csg_on_cpu *interval, bool is_last)
{
	const struct csg_time_slices *t = m->slices;
	size_t begin = sight_from(m, slice), n, first = visits_in(m, interval, &n);

	m->work += n + t->seen[slice] - begin;
	if (!n || !(t->shown[slice] & CSG_TIME_SLICE_GUEST) ||
	    !is_plain(interval, &m->visits[first], n))
		return true;
	return csg_kvm_visit_shows(&m->visits[is_last ? first : first + n - 1], is_last,
				   &t->sights[begin], t->seen[slice] - begin);
}

/*
 * Whether all time slices of the run between two switches do so where it begins with the interval
 * at a place.
 */
static bool run_shows(struct csg_time_slice_match *m, const struct csg_time_slice_run *run,
		      size_t at, struct csg_kvm_proof *proof)
{
	*proof = (struct csg_kvm_proof){.any = false};
	for (size_t i = 1; i + 1 < run->count; i++)
		if (!csg_time_slice_shows_visits(m, run->slice + i, run->slice + i,
						 &m->intervals[at + i], proof))
			return false;
	return true;
}

/* Holds all places of the run against the events; they may leave one. */
static void compare_run(struct csg_time_slice_match *m, struct csg_time_slice_run *run)
{
	size_t places = 0, shown = 0, place = 0;
	bool proved = false;

	for (size_t at = run->low; at <= run->high && m->work < CSG_TIME_SLICE_WORK_MAX; at++) {
		struct csg_kvm_proof proof;

		if (!csg_time_slice_run_fits(m, run, at))
			continue;
		places++;
		if (!run_shows(m, run, at, &proof))
			continue;
		shown++;
		place = at;
		proved = proof.differ;
	}
	run->contradicted = places && !shown;
	run->shows = shown == 1 && proved;
	if (run->shows)
		run->low = run->high = place;
}

bool csg_time_slice_runs_compare(struct csg_time_slice_match *m)
{
	bool contradicted = false;
	size_t end = m->interval_count;

	for (size_t r = 0; r < m->run_count; r++) {
		compare_run(m, &m->runs[r]);
		contradicted |= m->runs[r].contradicted;
	}
	for (size_t r = 1; r < m->run_count; r++) {
		const struct csg_time_slice_run *before = &m->runs[r - 1];
		struct csg_time_slice_run *run = &m->runs[r];

		if (run->low < before->low + before->count - 1)
			run->low = before->low + before->count - 1;
	}
	for (size_t r = m->run_count; r-- > 0;) {
		struct csg_time_slice_run *run = &m->runs[r];

		if (run->low + run->count > end)
			return false;
		if (run->high + run->count > end)
			run->high = end - run->count;
		contradicted |= run->low > run->high;
		end = run->high + 1;
	}
	return !contradicted;
}
