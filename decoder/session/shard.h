/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A session decodes some of its streams only, and begins with what those before them have shown
 * (csguest/shard.h, guest/crossing_facts.h).
 */
#ifndef DECODER_SESSION_SHARD_H
#define DECODER_SESSION_SHARD_H

#include "session/session.h"
#include "util/pack.h"

/* How facts are settled. */
enum csg_settle {
	CSG_SETTLE_SCAN,   /* by the packets of all streams */
	CSG_SETTLE_DECODE, /* by decoding them */
	CSG_SETTLE_INDEX,  /* the same, with an index of their jobs (session/run/job_index.h) */
};

/* Writes down the facts before each stream and after the last, and the index. */
int csg_session_settle_facts(struct csg_session *session, enum csg_settle how,
			     struct csg_pack *facts);

/* As csg_shard_begin(), of arguments that are valid. */
int csg_session_begin_shard(struct csg_session *session, uint32_t shard, uint32_t shards,
			    const void *facts, size_t n);

/* Whether the session decodes this stream. */
bool csg_session_decodes(const struct csg_session *session, uint32_t stream);

#endif
