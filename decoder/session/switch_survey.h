/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whose turns the trace shows where no context ID names the host's thread: the trace is decoded once
 * beforehand, as far as it is the host's kernel, which needs no thread.  Where that executes
 * cpu_switch_to it switches threads; guest/turns.h finds out to whom.
 */
#ifndef DECODER_SESSION_SWITCH_SURVEY_H
#define DECODER_SESSION_SWITCH_SURVEY_H

#include "guest/turns.h"
#include "recording/recording.h"
#include "session/people.h"

/* Turns of one source, and to which pieces of trace they belong. */
struct csg_switch_survey {
	struct csg_turns turns;
	struct csg_surveyed_piece {
		const struct csg_chunk *first, *last; /* chunks that go on without a break */
		size_t turn;			      /* the first */
	} * pieces;
	size_t count, room;
};

void csg_switch_survey_fini(struct csg_switch_survey *survey);

/*
 * Surveys source, if that may tell anything: the host is Linux at EL2, its switches were recorded, and
 * no context ID tells.  0 or a negative error.
 */
int csg_survey_switches(struct csg_switch_survey *survey, struct csg_recording *rec,
			const struct csg_source *source, struct csg_people *people);

/* The turns of the piece that chunk is part of; *n may be 0. */
const struct csg_attribution_turn *csg_surveyed_turns(const struct csg_switch_survey *survey,
						      const struct csg_chunk *chunk, size_t *n);

#endif
