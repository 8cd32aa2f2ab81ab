/* SPDX-License-Identifier: BSD-3-Clause */
/* Time slices that a source shows by itself, found before it is decoded
 * (session/open/switch_survey.h). */
#ifndef DECODER_SESSION_RUN_SURVEYED_TIME_SLICES_H
#define DECODER_SESSION_RUN_SURVEYED_TIME_SLICES_H

#include <stddef.h>

#include "csguest/attribution.h"
#include "guest/guest_time_slice_watch.h"
#include "recording/recording.h"

/* Time slices of one source, and in which rows of chunks they are. */
struct csg_switch_survey {
	struct csg_time_slices slices;
	struct csg_surveyed_row {
		const struct csg_chunk *first, *last; /* they go on without a break */
		size_t slice;			      /* the first */
		size_t guest_slice;
	} * rows;
	size_t count, capacity;
	struct csg_guest_time_slice_list guest_slices;
	struct csg_loss_list losses;	      /* of all rows */
	struct csg_attribution_level *levels; /* of all rows (session/open/level_survey.h) */
	size_t level_count;
};

void csg_switch_survey_fini(struct csg_switch_survey *survey);

/* The row that chunk is part of; NULL: none. */
const struct csg_surveyed_row *csg_surveyed_row_of(const struct csg_switch_survey *survey,
						   const struct csg_chunk *chunk);

/* The number of the first time slice after those of row. */
size_t csg_surveyed_end_of_time_slices(const struct csg_switch_survey *survey,
				       const struct csg_surveyed_row *row);

/*
 * What is stated of a chunk before its trace: what its AUX record says, and what a survey of its
 * source has found (NULL: there was none), with the time slices of the row that it is part of.
 */
struct csg_attribution_piece csg_chunk_piece(const struct csg_chunk *chunk,
					     const struct csg_switch_survey *survey);

#endif
