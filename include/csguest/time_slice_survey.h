/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Survey of time slices: which thread of the host each piece of trace is of, where no context ID
 * names it.
 *
 * The host's kernel executes cpu_switch_to once for each switch of threads, and writes one pair of
 * switch records (PERF_RECORD_SWITCH_CPU_WIDE).  Counted in order, the one tells what the other is;
 * but only decoded trace shows a function, and user code is decoded with its thread's image.  So a
 * caller decodes each piece of trace twice: once beforehand with owners that are known without, by
 * an attribution stream of its own, and states here what came of it; then with the time slices that
 * the survey found.
 *
 *	csg_attribution_stream_create(&ahead, a, &unit);
 *	csg_time_slice_survey_create(&survey, a, &unit, cpu_switch_to);
 *	for each piece of trace recorded without a break:
 *		csg_time_slice_survey_begin(survey, index);
 *		feed ahead, decode; for each element:
 *			csg_time_slice_survey_see(survey, &element, &owner);
 *		csg_time_slice_survey_end(survey, begin_time, end_time, &piece.slices,
 *					  &piece.slice_count);
 *		csg_attribution_piece(stream, index, &piece) and so on
 */
#ifndef CSGUEST_TIME_SLICE_SURVEY_H
#define CSGUEST_TIME_SLICE_SURVEY_H

#include "csguest/attribution.h"
#include "csguest/element.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct csg_time_slice_survey;

/*
 * switch_to is the address of the host's cpu_switch_to.  Once all facts are stated and a stream was
 * created: 1 and a survey, 0 and NULL where one would tell nothing, as context IDs do, or no
 * switches were recorded, or the host's kernel is not known to run at EL2; -CSG_E_USAGE,
 * -CSG_E_NO_MEMORY. The attribution outlives it; unit is not kept.
 */
int csg_time_slice_survey_create(struct csg_time_slice_survey **survey,
				 const struct csg_attribution *attribution,
				 const struct csg_trace_unit *unit, uint64_t switch_to);
void csg_time_slice_survey_destroy(struct csg_time_slice_survey *survey);

/* A piece of trace of this unit's CPU begins at index: the time slices of the one before are
 * forgotten. */
void csg_time_slice_survey_begin(struct csg_time_slice_survey *survey, uint64_t index);

/*
 * The next element, in the order of decoding, and its owner as far as it is known.  Of interest are
 * index, kind, el, of a RANGE its start, and gap; an element that is not stated may have hidden a
 * switch, so each gap is to be.  0 or -CSG_E_NO_MEMORY.
 */
int csg_time_slice_survey_see(struct csg_time_slice_survey *survey,
			      const struct csg_element *element, const struct csg_owner *owner);

/*
 * The piece ends; it was recorded between two host times (ns; 0: not known, which leaves all
 * threads unknown).  *slices gets *n time slices in order, until the next piece begins.  0 or
 * -CSG_E_NO_MEMORY.
 */
int csg_time_slice_survey_end(struct csg_time_slice_survey *survey, uint64_t begin_time,
			      uint64_t end_time, const struct csg_attribution_time_slice **slices,
			      size_t *n);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
