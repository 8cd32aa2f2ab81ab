/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * When a recording's trace was on, as its events say: all the time, or in windows of which kind.
 * Where no event says it, the trace does: it may be strobed by what is programmed without perf.
 */
#ifndef COMMAND_INFO_INFO_WINDOWS_H
#define COMMAND_INFO_INFO_WINDOWS_H

#include "info/facts.h"

#define CSG_INFO_WINDOWS_MAX 160 /* bytes, with the end */

/* A configuration of the trace units strobes (collect/trace_event.h). */
bool csg_info_is_strobed(const struct csg_recording_info *recording);

/* The trace is off often, and neither an event nor a level that is left out explains it. */
bool csg_info_is_unexplained(const struct csg_info *info);

/* In text, or NULL: nothing shows that it was off. */
const char *csg_info_windows(const struct csg_info *info, char text[CSG_INFO_WINDOWS_MAX]);

#endif
