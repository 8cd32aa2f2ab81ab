/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A session decodes some of its streams only, and begins with what those before them have shown
 * (csguest/shard.h, guest/crossing_facts.h).
 */
#ifndef DECODER_SESSION_SHARD_H
#define DECODER_SESSION_SHARD_H

#include "session/session.h"
#include "util/pack.h"

/*
 * Writes down the facts before each stream and after the last, by the packets of all streams; or,
 * decode, by decoding them.
 */
int csg_session_settle_facts(struct csg_session *session, bool decode, struct csg_pack *facts);

/*
 * The same by decoding, with an index of the streams' jobs (session/run/job_index.h), which lies in
 * a temporary file until all are decoded.  Written to out, whose error is returned.
 */
int csg_session_settle_index(struct csg_session *session, struct csg_pack_out *out);

/* As csg_shard_begin(), of arguments that are valid. */
int csg_session_begin_shard(struct csg_session *session, uint32_t shard, uint32_t shards,
			    const void *facts, size_t n);

/* Whether the session decodes this stream. */
bool csg_session_decodes(const struct csg_session *session, uint32_t stream);

#endif
