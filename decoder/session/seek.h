/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Seeking: a session that was opened with an index of the trace (session/trace_index.h) hands out
 * what ran in a span of time, chunk by chunk (csguest/shard.h, csg_shard_seek()), and decodes no
 * other chunks but those before them that decoding starts in.
 *
 * A chunk is wanted if its AUX record and the one before it do not say that it was recorded before
 * or after the span.  So are its neighbours, as what runs at the edge of the span may have begun
 * there, and those before it back to one with times: by these the ones without are dated.
 */
#ifndef DECODER_SESSION_SEEK_H
#define DECODER_SESSION_SEEK_H

#include <stdint.h>

struct csg_session;

/* As csg_shard_seek(), of arguments that are valid. */
int csg_session_seek(struct csg_session *session, uint64_t begin, uint64_t end);

void csg_session_seek_fini(struct csg_session *session);

#endif
