/* SPDX-License-Identifier: BSD-3-Clause */
#include "info/info_windows.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define AUTOFDO_WINDOW 5000 /* cycles, in all presets */

/* The configuration's name stands in that of the event, between its terms. */
static bool names_autofdo(const struct csg_recording_info *r)
{
	return r->trace_event && strstr(r->trace_event, "autofdo");
}

/* One window of this many is traced; 0: configfs says, which is not recorded. */
static unsigned int period_of(const struct csg_recording_info *r)
{
	static const uint16_t periods[] = {0, 2, 4, 8, 16, 64, 128, 512, 1024, 4096};

	return r->trace_preset < sizeof(periods) / sizeof(*periods) ? periods[r->trace_preset] : 0;
}

bool csg_info_is_strobed(const struct csg_recording_info *r)
{
	return r->trace_config && names_autofdo(r);
}

/* How the trace units are programmed. */
static size_t put_config(const struct csg_recording_info *r, char *text)
{
	int n;

	if (csg_info_is_strobed(r) && period_of(r))
		n = snprintf(text, CSG_INFO_WINDOWS_MAX,
			     "strobed: %u of every %u cycles (autofdo, preset %" PRIu32 ")",
			     AUTOFDO_WINDOW, AUTOFDO_WINDOW * period_of(r), r->trace_preset);
	else if (csg_info_is_strobed(r))
		n = snprintf(text, CSG_INFO_WINDOWS_MAX, "strobed (autofdo, as configfs had it)");
	else
		n = snprintf(text, CSG_INFO_WINDOWS_MAX,
			     "as configuration 0x%" PRIx32 ", preset %" PRIu32 ", has them",
			     r->trace_config, r->trace_preset);
	return (size_t)n;
}

static bool has_windows(const struct csg_recording_info *r)
{
	return r->trace_config || r->aux_pause || r->aux_resume || r->snapshot_mode ||
	       r->aux_samples;
}

/* Levels are left out of the trace: without VHE the hypervisor's EL2 is. */
static bool lacks_levels(const struct csg_info *info)
{
	const struct csg_recording_info *r = info->recording;

	return r->exclude_guest || r->exclude_host || r->exclude_kernel || r->exclude_user ||
	       csg_hypervisor_traits(info->hypervisor) & CSG_TRAIT_SHARED_EL1;
}

bool csg_info_is_unexplained(const struct csg_info *info)
{
	return csg_trace_off_is_often(&info->off) && !has_windows(info->recording) &&
	       !lacks_levels(info);
}

const char *csg_info_windows(const struct csg_info *info, char text[CSG_INFO_WINDOWS_MAX])
{
	const struct csg_recording_info *r = info->recording;
	const struct csg_trace_off *off = &info->off;
	const char *const more[] = {
		r->aux_pause || r->aux_resume ? "paused and resumed by events (aux-action)" : NULL,
		r->snapshot_mode ? "snapshots" : NULL,
		r->aux_samples ? "samples of events (--aux-sample)" : NULL,
	};
	size_t n = 0;

	if (r->trace_config)
		n = put_config(r, text);
	else if (csg_info_is_unexplained(info))
		n = (size_t)snprintf(text, CSG_INFO_WINDOWS_MAX,
				     "no event says so, but in %" PRIu64
				     " KB of trace that were looked at tracing was off %" PRIu64
				     " times",
				     (off->bytes + 1023) / 1024, off->times);
	for (size_t i = 0; i < sizeof(more) / sizeof(*more); i++)
		if (more[i])
			n += (size_t)snprintf(text + n, CSG_INFO_WINDOWS_MAX - n, "%s%s",
					      n ? "; " : "", more[i]);
	return n ? text : NULL;
}
