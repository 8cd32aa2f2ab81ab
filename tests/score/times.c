/* SPDX-License-Identifier: BSD-3-Clause */
#include "score/times.h"

void csg_times_stream(struct csg_times *times)
{
	times->has_window = false;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

void csg_times_add(struct csg_times *times, const struct csg_truth_piece *piece, uint64_t n,
		   uint64_t time)
{
	if (!times->has_window || times->window != piece->window)
		times->begin = piece->time;
	times->has_window = true;
	times->window = piece->window;
	if (!time || !piece->until)
		return;
	times->dated += n;
	if (time < times->begin) {
		times->early += n;
		times->far += times->begin - time > CSG_TIMES_FAR ? n : 0;
		times->most_early = larger(times->most_early, times->begin - time);
	}
	if (time > piece->until) {
		times->late += n;
		times->far += time - piece->until > CSG_TIMES_FAR ? n : 0;
		times->most_late = larger(times->most_late, time - piece->until);
	}
}
