/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/surveyed_turns.h"

#include <stdlib.h>

void csg_surveyed_levels_fini(struct csg_switch_survey *survey)
{
	free(survey->levels);
	survey->levels = NULL;
	survey->level_count = 0;
}

void csg_switch_survey_fini(struct csg_switch_survey *survey)
{
	csg_turns_fini(&survey->turns);
	free(survey->pieces);
	free(survey->guest_turns.turns);
	csg_surveyed_levels_fini(survey);
	*survey = (struct csg_switch_survey){0};
}

const struct csg_surveyed_piece *csg_surveyed_piece_of(const struct csg_switch_survey *survey,
						       const struct csg_chunk *chunk)
{
	for (size_t i = 0; i < survey->count; i++)
		if (chunk >= survey->pieces[i].first && chunk <= survey->pieces[i].last)
			return &survey->pieces[i];
	return NULL;
}

size_t csg_surveyed_end_of_turns(const struct csg_switch_survey *survey,
				 const struct csg_surveyed_piece *piece)
{
	return piece + 1 < survey->pieces + survey->count ? piece[1].turn : survey->turns.count;
}

void csg_surveyed_turns(const struct csg_switch_survey *survey, const struct csg_chunk *chunk,
			struct csg_attribution_piece *told)
{
	const struct csg_surveyed_piece *piece = csg_surveyed_piece_of(survey, chunk);
	size_t end;

	told->levels = survey->levels;
	told->level_count = survey->level_count;
	if (!piece)
		return;
	end = csg_surveyed_end_of_turns(survey, piece);
	told->turn_count = end - piece->turn;
	if (told->turn_count)
		told->turns = &survey->turns.turns[piece->turn];
	if (!survey->guest_turns.count)
		return;
	end = piece + 1 < survey->pieces + survey->count ? piece[1].guest_turn
							 : survey->guest_turns.count;
	told->guest_turn_count = end - piece->guest_turn;
	if (told->guest_turn_count)
		told->guest_turns = &survey->guest_turns.turns[piece->guest_turn];
}
