/* SPDX-License-Identifier: BSD-3-Clause */
/* Owners of slices of which there is no trace (timeline/slice.h): csg_session_untraced(). */
#ifndef COMMAND_CLI_UNTRACED_H
#define COMMAND_CLI_UNTRACED_H

#include "csguest/session.h"
#include "timeline/slice.h"

/*
 * The owner of slice at its begin, and until when it is that one's, at most until *until.
 * CSG_SLICE_LOST: no record says anything.  -CSG_E_NO_MEMORY.
 */
int64_t csg_untraced_owner(struct csg_session *session, const struct csg_slice *slice,
			   uint64_t *until);

/* How long guests had the CPU of a stream from one host perf time to the other, by records. */
uint64_t csg_untraced_guests(struct csg_session *session, uint32_t stream, uint64_t from,
			     uint64_t until);

#endif
