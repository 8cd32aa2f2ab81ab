/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/run/surveyed_time_slices.h"

#include <stdlib.h>

#include "util/bisect.h"

void csg_switch_survey_fini(struct csg_switch_survey *survey)
{
	csg_time_slices_fini(&survey->slices);
	free(survey->rows);
	free(survey->guest_slices.slices);
	free(survey->losses.losses);
	free(survey->levels);
	*survey = (struct csg_switch_survey){0};
}

const struct csg_surveyed_row *csg_surveyed_row_of(const struct csg_switch_survey *survey,
						   const struct csg_chunk *chunk)
{
	size_t i;

	CSG_BISECT(i, survey->count, survey->rows[i].last < chunk);
	return i < survey->count && chunk >= survey->rows[i].first ? &survey->rows[i] : NULL;
}

size_t csg_surveyed_end_of_time_slices(const struct csg_switch_survey *survey,
				       const struct csg_surveyed_row *row)
{
	return row + 1 < survey->rows + survey->count ? row[1].slice : survey->slices.count;
}

static void state_surveyed(const struct csg_switch_survey *survey, const struct csg_chunk *chunk,
			   struct csg_attribution_piece *stated)
{
	const struct csg_surveyed_row *row = csg_surveyed_row_of(survey, chunk);
	size_t end;

	stated->levels = survey->levels;
	stated->level_count = survey->level_count;
	stated->losses = survey->losses.losses;
	stated->loss_count = survey->losses.count;
	if (!row)
		return;
	end = csg_surveyed_end_of_time_slices(survey, row);
	stated->slice_count = end - row->slice;
	if (stated->slice_count)
		stated->slices = &survey->slices.slices[row->slice];
	if (!survey->guest_slices.count)
		return;
	end = row + 1 < survey->rows + survey->count ? row[1].guest_slice
						     : survey->guest_slices.count;
	stated->guest_slice_count = end - row->guest_slice;
	if (stated->guest_slice_count)
		stated->guest_slices = &survey->guest_slices.slices[row->guest_slice];
}

struct csg_attribution_piece csg_chunk_piece(const struct csg_chunk *chunk,
					     const struct csg_switch_survey *survey)
{
	struct csg_attribution_piece piece = {.size = sizeof(piece),
					      .begin_time = chunk->begin_time,
					      .end_time = chunk->time,
					      .pid = chunk->pid,
					      .tid = chunk->tid};

	if (survey)
		state_surveyed(survey, chunk, &piece);
	return piece;
}
