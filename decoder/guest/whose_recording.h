/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which VM a recording is of that was made in a guest, before any of it is stated: of none during
 * whose residencies it cannot have been made (guest/facts/guest_fit.h).
 */
#ifndef DECODER_GUEST_WHOSE_RECORDING_H
#define DECODER_GUEST_WHOSE_RECORDING_H

#include "csguest/attribution.h"
#include "guest/facts/switches.h"

/* All zero but the clock's conv is one without records. */
struct csg_whose_recording {
	struct csg_attribution_clock clock; /* of the recording */
	struct csg_switches switches;
	bool sealed;
};

void csg_whose_recording_fini(struct csg_whose_recording *recording);

/* A switch that it has, of all of them, before the first question.  0 or -CSG_E_NO_MEMORY. */
int csg_whose_recording_add(struct csg_whose_recording *recording,
			    const struct csg_attribution_switch *record);

/*
 * Whether it may be of vm, or nothing says that it is not.  The facts of the host are stated, and
 * streams have seen some of the trace.  0 or -CSG_E_NO_MEMORY.
 */
int csg_whose_recording_may_be(struct csg_whose_recording *recording,
			       const struct csg_attribution *attribution, int32_t vm, bool *may);

#endif
