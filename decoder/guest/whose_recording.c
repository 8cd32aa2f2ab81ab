/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/whose_recording.h"

#include "guest/attribution_state.h"
#include "guest/facts/guest_fit.h"

void csg_whose_recording_fini(struct csg_whose_recording *recording)
{
	csg_switches_fini(&recording->switches);
}

int csg_whose_recording_add(struct csg_whose_recording *recording,
			    const struct csg_attribution_switch *record)
{
	return csg_switches_add(&recording->switches, record);
}

int csg_whose_recording_may_be(struct csg_whose_recording *recording,
			       const struct csg_attribution *attribution, int32_t vm, bool *may)
{
	enum csg_guest_fits fits = CSG_GUEST_FIT_UNKNOWN;
	int err = 0;

	/* Which of them contradict the others is all that is asked of who ran when. */
	if (!recording->sealed)
		err = csg_switches_seal(&recording->switches, 0, UINT64_MAX);
	recording->sealed = !err;
	if (!err)
		err = csg_guest_fit(&attribution->facts, vm, &recording->clock,
				    &recording->switches, &fits);
	*may = fits != CSG_GUEST_FITS_NOT;
	return err;
}
