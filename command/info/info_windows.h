/* SPDX-License-Identifier: BSD-3-Clause */
/* When a recording's trace was on, as its events say: all the time, or in windows of which kind. */
#ifndef COMMAND_INFO_INFO_WINDOWS_H
#define COMMAND_INFO_INFO_WINDOWS_H

#include "csguest/recording.h"

#define CSG_INFO_WINDOWS_MAX 160 /* bytes, with the end */

/* A configuration of the trace units strobes (collect/trace_event.h). */
bool csg_info_is_strobed(const struct csg_recording_info *recording);

/* In text, or NULL: the trace was on all the time. */
const char *csg_info_windows(const struct csg_recording_info *recording,
			     char text[CSG_INFO_WINDOWS_MAX]);

#endif
