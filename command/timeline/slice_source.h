/* SPDX-License-Identifier: BSD-3-Clause */
/* What slices ask a session (timeline/slices.h): times, and who had a CPU while it was not
 * traced. */
#ifndef COMMAND_TIMELINE_SLICE_SOURCE_H
#define COMMAND_TIMELINE_SLICE_SOURCE_H

#include "csguest/session.h"
#include "timeline/slices.h"

/* Good as long as the session is. */
struct csg_slice_source csg_slice_source_of(struct csg_session *session);

#endif
