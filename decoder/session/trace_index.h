/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The index of a recording's trace: facts with the jobs of all streams (session/run/job_index.h),
 * the owners that they name, and the contradictions that were found.  A session that is opened with
 * it neither surveys the trace nor looks ahead in it: who ran and when is what decoding all of it
 * has found.  What decodes code, and whose images that takes, is settled anew: kernels' files are
 * compared with what of the trace they agreed with then (session/open/kernel_samples.h).
 */
#ifndef DECODER_SESSION_TRACE_INDEX_H
#define DECODER_SESSION_TRACE_INDEX_H

#include "util/pack.h"

struct csg_session;

/* Adds all of it to the facts but what csg_job_index_write() writes of each stream after that. */
void csg_trace_index_pack(const struct csg_session *session, struct csg_pack *facts);

/*
 * The recording is loaded: reads the file that the options name, if they do.  0, or an error, which
 * was reported: the file cannot be read, is none, damaged, or of another recording.
 */
int csg_trace_index_open(struct csg_session *session);

/* Instead of a prescan of the streams: what it has shown.  Reported. */
int csg_trace_index_prescan(struct csg_session *session);

/* Instead of surveying streams, before they are made: what that would show. */
int csg_trace_index_begin(struct csg_session *session);

/* The streams are there, and nobody has asked for owners: takes the index.  Reported. */
int csg_trace_index_take(struct csg_session *session);

void csg_trace_index_fini(struct csg_session *session);

#endif
