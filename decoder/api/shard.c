/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/shard.h"

#include <stdlib.h>

#include "csguest/error.h"
#include "session/facts_file.h"
#include "session/seek.h"
#include "session/session_pull.h"
#include "session/shard.h"

int csg_shard_prepare(struct csg_session *session, bool decode, void **facts, size_t *n)
{
	struct csg_pack pack = {0};
	int err;

	if (!session || !facts || !n || !csg_session_settle_stopped(session))
		return -CSG_E_USAGE;
	err = csg_session_settle_facts(session, decode, &pack);
	if (err)
		csg_pack_fini(&pack);
	*facts = pack.bytes;
	*n = pack.n;
	return err;
}

int csg_shard_index(struct csg_session *session,
		    int (*write)(void *arg, const void *bytes, size_t n), void *arg)
{
	struct csg_pack_out out;

	if (!session || !write || !csg_session_settle_stopped(session))
		return -CSG_E_USAGE;
	csg_pack_out_init(&out, write, arg);
	return csg_session_settle_index(session, &out);
}

int csg_shard_seek(struct csg_session *session, uint64_t begin, uint64_t end)
{
	return session && (!end || begin <= end) ? csg_session_seek(session, begin, end)
						 : -CSG_E_USAGE;
}

void csg_shard_facts_free(void *facts)
{
	free(facts);
}

int csg_shard_begin(struct csg_session *session, uint32_t shard, uint32_t shards, const void *facts,
		    size_t n)
{
	if (!session || !shard || shard > shards ||
	    !csg_session_settle_on(session, CSG_PULL_STREAMS))
		return -CSG_E_USAGE;
	return csg_session_begin_shard(session, shard, shards, facts, n);
}

bool csg_shard_has(const struct csg_session *session, uint32_t stream)
{
	return session && stream < csg_session_stream_count(session) &&
	       csg_session_decodes(session, stream);
}

uint64_t csg_shard_state(const struct csg_session *session)
{
	return session ? csg_session_facts_sum(session) : 0;
}

uint64_t csg_shard_recording(const struct csg_session *session)
{
	return session ? csg_session_recording_sum(session) : 0;
}
