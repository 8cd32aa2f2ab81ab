/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The survey of time slices (csguest/time_slice_survey.h) of a whole stream: those of one piece of
 * trace after another are added to a list that the caller has.
 */
#ifndef DECODER_GUEST_TIME_SLICE_SURVEY_H
#define DECODER_GUEST_TIME_SLICE_SURVEY_H

#include "csguest/time_slice_survey.h"
#include "guest/slices/time_slice_watch.h"

struct csg_time_slice_survey {
	const struct csg_attribution *attribution;
	int32_t cpu;
	struct csg_time_slices *slices;
	struct csg_time_slice_watch watch;
};

/* The host is Linux at EL2, its switches on the unit's CPU were recorded, and no context ID
 * tells. */
bool csg_time_slice_survey_tells(const struct csg_attribution *attribution,
				 const struct csg_trace_unit *unit);

/* Once a stream was created, or the facts were sealed otherwise.  switch_to may be set later. */
void csg_time_slice_survey_init(struct csg_time_slice_survey *survey,
				const struct csg_attribution *attribution,
				const struct csg_trace_unit *unit, struct csg_time_slices *slices);

/* A piece of trace begins at index. */
void csg_time_slice_survey_go_on(struct csg_time_slice_survey *survey, uint64_t index);

/* It ends.  0 or -CSG_E_NO_MEMORY. */
int csg_time_slice_survey_close(struct csg_time_slice_survey *survey);

/*
 * Finds the threads of its time slices, from first on; it was recorded on the unit's CPU between
 * two host times (ns).  0 or -CSG_E_NO_MEMORY.
 */
int csg_time_slice_survey_match(struct csg_time_slice_survey *survey, size_t first, uint64_t from,
				uint64_t until);

#endif
