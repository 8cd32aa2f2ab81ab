/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The arrays that a recording and a session hand out one by one.  Each lies in one piece
 * (csguest/recording.h, csguest/session.h), and the command is linked with the library of its own
 * version, so that its structs have the size that the array has.
 */
#ifndef COMMAND_LOOKUP_ARRAYS_H
#define COMMAND_LOOKUP_ARRAYS_H

#include "csguest/recording.h"
#include "csguest/session.h"

static inline const struct csg_stream_info *csg_array_streams(const struct csg_session *session,
							      size_t *n)
{
	*n = csg_session_stream_count(session);
	return csg_session_stream(session, 0);
}

static inline const struct csg_source *csg_array_sources(const struct csg_recording *recording,
							 size_t *n)
{
	*n = csg_recording_source_count(recording);
	return csg_recording_source(recording, 0);
}

static inline const struct csg_chunk *csg_array_chunks(const struct csg_recording *recording,
						       size_t *n)
{
	*n = csg_recording_chunk_count(recording);
	return csg_recording_chunk(recording, 0);
}

#endif
