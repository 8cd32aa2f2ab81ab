/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/slices/time_slice_places.h"

/*
 * Whether the time slice can have been the interval by its times.  Its switches lie in the joints
 * on either side, of which those outside the row are not known.
 */
static bool is_then(const struct csg_time_slice_match *m, size_t slice, size_t at)
{
	const struct csg_time_slice_time *time = &m->slices->times[slice];

	return (!at || m->intervals[at - 1].until <= time->begun_by) &&
	       (at + 1 == m->interval_count || m->intervals[at + 1].from >= time->lasts_to);
}

bool csg_time_slice_may_be(struct csg_time_slice_match *m, size_t slice, size_t at)
{
	m->work++;
	return is_then(m, slice, at) &&
	       (m->intervals[at].tid ||
		!(m->slices->shown[slice] & (CSG_TIME_SLICE_USER | CSG_TIME_SLICE_GUEST)));
}

bool csg_time_slice_run_fits(struct csg_time_slice_match *m, const struct csg_time_slice_run *run,
			     size_t at)
{
	for (size_t i = 0; i < run->count; i++)
		if (!csg_time_slice_may_be(m, run->slice + i, at + i))
			return false;
	return true;
}

bool csg_time_slice_runs_find_lows(struct csg_time_slice_match *m)
{
	size_t at = 0;

	for (size_t r = 0; r < m->run_count; r++) {
		struct csg_time_slice_run *run = &m->runs[r];

		while (at + run->count <= m->interval_count && m->work < CSG_TIME_SLICE_WORK_MAX &&
		       !csg_time_slice_run_fits(m, run, at))
			at++;
		if (at + run->count > m->interval_count || m->work >= CSG_TIME_SLICE_WORK_MAX)
			return false;
		run->low = at;
		at += run->count - 1; /* the next may go on in the interval where this one ended */
	}
	return true;
}

bool csg_time_slice_runs_find_highs(struct csg_time_slice_match *m)
{
	size_t end = m->interval_count;

	for (size_t r = m->run_count; r-- > 0;) {
		struct csg_time_slice_run *run = &m->runs[r];
		size_t at = end - run->count;

		while (at > run->low && m->work < CSG_TIME_SLICE_WORK_MAX &&
		       !csg_time_slice_run_fits(m, run, at))
			at--;
		if (m->work >= CSG_TIME_SLICE_WORK_MAX)
			return false;
		run->high = at;
		end = at + 1;
	}
	return true;
}
