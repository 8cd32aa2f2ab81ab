/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/run/surveyed_time_slices.h"

#include <stdlib.h>

#include "util/bisect.h"

void csg_switch_survey_fini(struct csg_switch_survey *survey)
{
	csg_time_slices_fini(&survey->slices);
	free(survey->pieces);
	free(survey->guest_slices.slices);
	free(survey->losses.losses);
	free(survey->levels);
	*survey = (struct csg_switch_survey){0};
}

const struct csg_surveyed_piece *csg_surveyed_piece_of(const struct csg_switch_survey *survey,
						       const struct csg_chunk *chunk)
{
	size_t i;

	CSG_BISECT(i, survey->count, survey->pieces[i].last < chunk);
	return i < survey->count && chunk >= survey->pieces[i].first ? &survey->pieces[i] : NULL;
}

size_t csg_surveyed_end_of_time_slices(const struct csg_switch_survey *survey,
				       const struct csg_surveyed_piece *piece)
{
	return piece + 1 < survey->pieces + survey->count ? piece[1].slice : survey->slices.count;
}

void csg_surveyed_time_slices(const struct csg_switch_survey *survey, const struct csg_chunk *chunk,
			      struct csg_attribution_piece *stated)
{
	const struct csg_surveyed_piece *piece = csg_surveyed_piece_of(survey, chunk);
	size_t end;

	stated->levels = survey->levels;
	stated->level_count = survey->level_count;
	stated->losses = survey->losses.losses;
	stated->loss_count = survey->losses.count;
	if (!piece)
		return;
	end = csg_surveyed_end_of_time_slices(survey, piece);
	stated->slice_count = end - piece->slice;
	if (stated->slice_count)
		stated->slices = &survey->slices.slices[piece->slice];
	if (!survey->guest_slices.count)
		return;
	end = piece + 1 < survey->pieces + survey->count ? piece[1].guest_slice
							 : survey->guest_slices.count;
	stated->guest_slice_count = end - piece->guest_slice;
	if (stated->guest_slice_count)
		stated->guest_slices = &survey->guest_slices.slices[piece->guest_slice];
}
