/* SPDX-License-Identifier: BSD-3-Clause */
/* When a survey of time slices (csguest/time_slice_survey.h) tells anything. */
#ifndef DECODER_GUEST_TIME_SLICE_SURVEY_H
#define DECODER_GUEST_TIME_SLICE_SURVEY_H

#include "csguest/time_slice_survey.h"
#include "guest/facts/facts.h"

/* The host is Linux at EL2, its switches on the unit's CPU were recorded, and no context ID
 * tells. */
bool csg_time_slice_survey_tells(const struct csg_facts *facts, const struct csg_trace_unit *unit);

#endif
