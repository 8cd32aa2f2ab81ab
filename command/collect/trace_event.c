/* SPDX-License-Identifier: BSD-3-Clause */
#include "collect/trace_event.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the kernel has of context IDs. */
static const char *ids_of(const struct csg_probe *p)
{
	if (p->has_contextid1_and_2)
		return ",contextid1,contextid2";
	return p->has_contextid ? ",contextid" : "";
}

/* perf 6.12 excludes guests unless told otherwise, so both are named. */
void csg_trace_event(char event[CSG_TRACE_EVENT_MAX], const struct csg_probe *p,
		     enum csg_collect_windows windows, int64_t preset)
{
	char terms[64] = "";

	if (windows == CSG_COLLECT_STROBE && preset)
		snprintf(terms, sizeof(terms), "autofdo,preset=%" PRId64 ",", preset);
	else if (windows == CSG_COLLECT_STROBE)
		snprintf(terms, sizeof(terms), "autofdo,");
	else if (windows == CSG_COLLECT_PAUSE)
		snprintf(terms, sizeof(terms), "aux-action=start-paused,");
	snprintf(event, CSG_TRACE_EVENT_MAX,
		 windows == CSG_COLLECT_SAMPLE
			 ? "{cs_etm/%stimestamp%s/GH,cycles/period=10000000/GH}"
			 : "cs_etm/%stimestamp%s/GH",
		 terms, ids_of(p));
}

/*
 * Both events count the same, and neither waits for the other: the one that pauses has the shorter
 * period, so a window is half of it on average, and traced are P / 2R of the cycles.  Neither
 * divides the other: R modulo P is about 0.618 P, which spreads the windows' lengths.
 */
#define RESUME_PERIOD "8338447"
#define PAUSE_PERIOD "100003"

const char *const *csg_trace_event_options(enum csg_collect_windows windows)
{
	static const char *const none[] = {NULL};
	static const char *const pause[] = {
		"-e", "cycles/aux-action=resume,period=" RESUME_PERIOD "/GH", "-e",
		"cycles/aux-action=pause,period=" PAUSE_PERIOD "/GH", NULL};
	static const char *const snapshot[] = {"--snapshot=e", NULL};
	static const char *const sample[] = {"--aux-sample=16384", NULL};

	switch (windows) {
	case CSG_COLLECT_PAUSE:
		return pause;
	case CSG_COLLECT_SNAPSHOT:
		return snapshot;
	case CSG_COLLECT_SAMPLE:
		return sample;
	default:
		return none;
	}
}

/* "6.12.95" is older than 6.16. */
static bool is_older(const char *release, long major, long minor)
{
	char *end;
	long is = strtol(release, &end, 10);

	if (end == release || *end != '.')
		return false; /* not known */
	return is != major ? is < major : strtol(end + 1, NULL, 10) < minor;
}

const char *csg_trace_event_lack(const struct csg_probe *p, enum csg_collect_windows windows,
				 const char **remedy)
{
	if (windows == CSG_COLLECT_STROBE && !p->autofdo) {
		*remedy = "a kernel from 5.15 on, whose driver of ETM and ETE has it; or --windows "
			  "snapshot";
		return "no strobing: the cs_etm PMU has no configuration autofdo";
	}
	if (windows == CSG_COLLECT_PAUSE && is_older(p->release, 6, 16)) {
		*remedy = "--windows strobe, or a newer kernel and perf";
		return "no pause and resume: the driver of cs_etm has it from Linux 6.16 on";
	}
	if (windows == CSG_COLLECT_SAMPLE) {
		*remedy = "--windows strobe for a profile, --windows snapshot for what led to an "
			  "event";
		return "no trace in samples: no released driver of cs_etm gives any, and csguest "
		       "reads "
		       "none";
	}
	return NULL;
}
