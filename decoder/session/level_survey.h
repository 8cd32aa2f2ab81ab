/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Level survey: finds the levels of guests before they are decoded (guest/level_watch.h).
 *
 * Where a host with VHE has the symbols of KVM's nested guests (FEAT_NV2, Linux 6.16), each stream is decoded
 * once beforehand, its EL2 alone, as that needs no level.  If no guest of a guest shows, nothing comes of it.
 * A host that did not run with kvm-arm.mode=nested has no such guests, and its patched code shows that:
 * it is not surveyed.
 */
#ifndef DECODER_SESSION_LEVEL_SURVEY_H
#define DECODER_SESSION_LEVEL_SURVEY_H

#include "recording/recording.h"
#include "session/registry.h"
#include "session/surveyed_time_slices.h"

struct csg_pool;

struct csg_level_survey {
	struct csg_recording *rec;
	struct csg_registry *registry;
	struct csg_pool *pool; /* or NULL */
	uint64_t *anchors;     /* by enum csg_level_anchor; NULL: levels are not looked for */
	bool nests;	       /* a guest of a guest shows in a source that was surveyed */
};

/* Whether there is anything to look for: anchors are set then.  0 or a negative error. */
int csg_level_survey_init(struct csg_level_survey *survey);
void csg_level_survey_fini(struct csg_level_survey *survey);

/* The levels of a source go to *found.  0 or a negative error. */
int csg_level_survey_source(struct csg_level_survey *survey, const struct csg_source *source,
			    struct csg_switch_survey *found);

#endif
