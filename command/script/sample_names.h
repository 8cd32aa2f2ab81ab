/* SPDX-License-Identifier: BSD-3-Clause */
/* Names for samples: who ran, what lies where, what the events are called. */
#ifndef COMMAND_SCRIPT_SAMPLE_NAMES_H
#define COMMAND_SCRIPT_SAMPLE_NAMES_H

#include "csguest/recording.h"
#include "lookup/lookup.h"
#include "script/itrace.h"
#include "script/sample_text.h"

/* Fills names so that they come from lookup, which must outlive them. */
void csg_sample_names_init(struct csg_sample_names *names, const struct csg_lookup *lookup);

/* n bytes of owner's code at address, as csg_sampler_client wants them; arg is a csg_lookup. */
bool csg_sample_code(void *arg, uint32_t owner, uint64_t address, uint64_t when, uint8_t *bytes,
		     size_t n);

/*
 * Names the events with the modifiers of the recording's cs_etm event.  Perf makes the column as
 * wide as the longest name among all events: others is that of the recording's own, and itrace says
 * which are listed.
 */
void csg_sample_event_names(struct csg_sample_text *text, const struct csg_recording_info *info,
			    size_t others, const struct csg_itrace *itrace);

#endif
