/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A session decodes some of its streams only, and begins with what those before them have shown
 * (csguest/shard.h, guest/crossing_facts.h).
 */
#ifndef DECODER_SESSION_SHARD_H
#define DECODER_SESSION_SHARD_H

#include "session/session.h"
#include "util/pack.h"

/* Scans all streams, or decodes them, and writes down the facts before each and after the last. */
int csg_session_settle_facts(struct csg_session *session, bool decode, struct csg_pack *facts);

/* As csg_shard_begin(), of arguments that are valid. */
int csg_session_begin_shard(struct csg_session *session, uint32_t shard, uint32_t shards,
			    const void *facts, size_t n);

/* Whether the session decodes this stream. */
bool csg_session_decodes(const struct csg_session *session, uint32_t stream);

/* A checksum of the facts as they are now, 0: no memory; and of what the recording's headers
 * say. */
uint64_t csg_session_facts_sum(const struct csg_session *session);
uint64_t csg_session_recording_sum(const struct csg_session *session);

#endif
