/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What perf is asked to trace, and when: all the time, or in windows.
 *
 * - strobe: the trace unit itself is on for W cycles, then off: the configuration "autofdo" of the
 *   cs_etm driver (Documentation/trace/coresight/coresight-config.rst), whose presets have W = 5000
 *   and trace one of 2 to 4096 windows.  Nothing interrupts what runs: windows are a sample of it.
 * - pause: events pause and resume the trace (aux-action, Linux 6.16 for cs_etm).  An event is an
 *   interrupt of the host: each window begins and ends in its handler, of a guest with an exit and
 *   an entry.
 * - snapshot: the buffer is a ring, kept when perf gets SIGUSR2 and at the end.
 * - sample: each sample of an event holds the trace that led to it (--aux-sample).  The cs_etm
 *   driver gives none (posted in 2026).
 */
#ifndef COMMAND_COLLECT_TRACE_EVENT_H
#define COMMAND_COLLECT_TRACE_EVENT_H

#include "collect/probe.h"

enum csg_collect_windows {
	CSG_COLLECT_WHOLE,
	CSG_COLLECT_STROBE,
	CSG_COLLECT_PAUSE,
	CSG_COLLECT_SNAPSHOT,
	CSG_COLLECT_SAMPLE,
};

#define CSG_COLLECT_PRESETS 9	/* of the configuration "autofdo" */
#define CSG_COLLECT_PRESET 5	/* one window of 64 */
#define CSG_TRACE_EVENT_MAX 160 /* bytes, with the end */

/* perf's event of the trace; preset 0: the parameters are those of configfs. */
void csg_trace_event(char event[CSG_TRACE_EVENT_MAX], const struct csg_probe *probe,
		     enum csg_collect_windows windows, int64_t preset);

/* What else perf record takes for such windows; ends with NULL. */
const char *const *csg_trace_event_options(enum csg_collect_windows windows);

/* Why the machine cannot give such windows, and what would help; NULL: it may. */
const char *csg_trace_event_lack(const struct csg_probe *probe, enum csg_collect_windows windows,
				 const char **remedy);

#endif
