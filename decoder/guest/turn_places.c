/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/turn_places.h"

/*
 * Whether the turn can have been the stay by its times.  Its switches lie in the joints on either side, of
 * which those outside the row are not known.
 */
static bool is_then(const struct csg_turn_match *m, size_t turn, size_t at)
{
	const struct csg_turn_time *time = &m->turns->times[turn];

	return (!at || m->stays[at - 1].until <= time->begun_by) &&
	       (at + 1 == m->stay_count || m->stays[at + 1].from >= time->lasts_to);
}

bool csg_turn_may_be(struct csg_turn_match *m, size_t turn, size_t at)
{
	m->work++;
	return is_then(m, turn, at) &&
	       (m->stays[at].tid || !(m->turns->shown[turn] & (CSG_TURN_USER | CSG_TURN_GUEST)));
}

bool csg_turn_run_fits(struct csg_turn_match *m, const struct csg_turn_run *run, size_t at)
{
	for (size_t i = 0; i < run->count; i++)
		if (!csg_turn_may_be(m, run->turn + i, at + i))
			return false;
	return true;
}

bool csg_turn_runs_find_lows(struct csg_turn_match *m)
{
	size_t at = 0;

	for (size_t r = 0; r < m->run_count; r++) {
		struct csg_turn_run *run = &m->runs[r];

		while (at + run->count <= m->stay_count && m->work < CSG_TURN_WORK_MAX &&
		       !csg_turn_run_fits(m, run, at))
			at++;
		if (at + run->count > m->stay_count || m->work >= CSG_TURN_WORK_MAX)
			return false;
		run->low = at;
		at += run->count - 1; /* the next may go on in the stay where this one ended */
	}
	return true;
}

bool csg_turn_runs_find_highs(struct csg_turn_match *m)
{
	size_t end = m->stay_count;

	for (size_t r = m->run_count; r-- > 0;) {
		struct csg_turn_run *run = &m->runs[r];
		size_t at = end - run->count;

		while (at > run->low && m->work < CSG_TURN_WORK_MAX &&
		       !csg_turn_run_fits(m, run, at))
			at--;
		if (m->work >= CSG_TURN_WORK_MAX)
			return false;
		run->high = at;
		end = at + 1;
	}
	return true;
}
