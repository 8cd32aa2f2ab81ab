/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whose time slices the trace shows where no context ID names the host's thread: the trace is
 * decoded once beforehand, as far as it is the host's kernel, which needs no thread.  Where that
 * executes cpu_switch_to it switches threads; guest/slices/time_slices.h finds out to whom.  Then
 * VMs are known as well, and where guests' own switches were recorded it is decoded once more,
 * guests' kernels included (guest/slices/guest_time_slices.h).
 */
#ifndef DECODER_SESSION_OPEN_SWITCH_SURVEY_H
#define DECODER_SESSION_OPEN_SWITCH_SURVEY_H

#include "recording/recording.h"
#include "session/run/registry.h"
#include "session/run/surveyed_time_slices.h"

/*
 * Surveys source, if that may tell anything: the host is Linux at EL2, its switches were recorded,
 * and no context ID tells, or guests' switches were recorded and timestamps are none, or few.  0 or
 * a negative error.
 */
int csg_survey_switches(struct csg_switch_survey *survey, struct csg_recording *rec,
			const struct csg_source *source, struct csg_registry *registry);

#endif
