/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/shard.h"

#include <stdlib.h>

#include "csguest/error.h"
#include "guest/crossing_facts.h"
#include "session/facts_file.h"
#include "session/run/job_index.h"
#include "session/session_open.h"
#include "session/session_policy.h"
#include "session/session_pull.h"
#include "session/session_state.h"
#include "session/trace_index.h"

/* --- facts --- */

/* As they are now, with their size in front. */
static void pack_facts(const struct csg_session *session, struct csg_pack *facts)
{
	struct csg_pack now = {0};

	csg_crossing_facts_pack(session->registry.attribution, &now);
	csg_pack_number(facts, now.n);
	csg_pack_bytes(facts, now.bytes, now.n);
	facts->failed |= now.failed;
	csg_pack_fini(&now);
}

static int read_stream(struct csg_session *session, uint32_t stream, bool decode)
{
	struct csg_batch batch;
	int ret;

	do
		ret = decode ? csg_session_pull_of(session, stream, &batch)
			     : csg_session_scan(session, stream);
	while (ret > 0);
	return ret;
}

/* --- the index --- */

#define INDEX_ON_HEAP (16u << 20) /* bytes of it */

/* Of all streams. */
struct indexing {
	struct csg_disk_memory memory;
	struct csg_job_index_writer *writers;
	size_t count;
};

static int begin_index(struct indexing *index, const struct csg_session *session)
{
	*index = (struct indexing){
		.memory = {.dir = session->options.tmpdir, .limit = INDEX_ON_HEAP},
		.writers = calloc(session->stream_count + 1, sizeof(*index->writers)),
		.count = session->stream_count,
	};
	return index->writers ? 0 : -CSG_E_NO_MEMORY;
}

static void end_index(struct indexing *index)
{
	for (size_t i = 0; index->writers && i < index->count; i++)
		csg_job_index_writer_fini(&index->writers[i]);
	free(index->writers);
	csg_disk_memory_fini(&index->memory);
}

static int index_stream(struct csg_session *session, struct indexing *index, uint32_t stream)
{
	struct csg_job_index_writer *writer = &index->writers[stream];
	int err;

	writer->jobs.memory = &index->memory;
	csg_stream_record(session->streams[stream], writer);
	err = read_stream(session, stream, true);
	csg_stream_record(session->streams[stream], NULL);
	csg_job_index_end(writer);
	return err || !writer->failed ? err : -CSG_E_NO_MEMORY;
}

/* --- both --- */

/* index: of all streams, which are decoded then; NULL: none is wanted. */
static int settle(struct csg_session *session, bool decode, struct indexing *index,
		  struct csg_pack *facts)
{
	int err = 0;

	csg_session_facts_begin(facts);
	csg_pack_number(facts, csg_session_recording_sum(session));
	csg_pack_number(facts, session->stream_count);
	for (uint32_t i = 0; !err && i < session->stream_count; i++) {
		pack_facts(session, facts);
		err = index ? index_stream(session, index, i) : read_stream(session, i, decode);
	}
	pack_facts(session, facts);
	csg_pack_number(facts, index != NULL);
	if (index)
		csg_trace_index_pack(session, facts);
	else
		csg_pack_end(facts);
	return err || !facts->failed ? err : -CSG_E_NO_MEMORY;
}

int csg_session_settle_facts(struct csg_session *session, bool decode, struct csg_pack *facts)
{
	return settle(session, decode, NULL, facts);
}

int csg_session_settle_index(struct csg_session *session, struct csg_pack_out *out)
{
	struct csg_pack facts = {0};
	struct indexing index;
	int err = begin_index(&index, session);

	if (!err)
		err = settle(session, true, &index, &facts);
	if (!err) {
		csg_pack_put(out, facts.bytes, facts.n);
		for (size_t i = 0; i < index.count; i++)
			csg_job_index_write(&index.writers[i], out);
		err = csg_pack_out_end(out);
	}
	err = csg_disk_memory_tell(&index.memory, session->sink, "the index of the trace", err);
	end_index(&index);
	csg_pack_fini(&facts);
	return err;
}

/* --- a shard --- */

/* The first stream whose middle lies in part k of parts, or later. */
static size_t first_of(const struct csg_session *session, uint64_t k, uint64_t parts)
{
	uint64_t before = 0, all = 0;
	size_t i;

	for (i = 0; i < session->stream_count; i++)
		all += csg_session_source_bytes(session, session->infos[i].source) + 1;
	for (i = 0; i < session->stream_count; i++) {
		const uint64_t bytes =
			csg_session_source_bytes(session, session->infos[i].source) + 1;

		if ((double)before + (double)bytes / 2 >= (double)all * ((double)k / (double)parts))
			return i;
		before += bytes;
	}
	return i;
}

static bool is_same(const struct csg_session *session, const void *facts, size_t n)
{
	return csg_checksum(facts, n) == csg_session_facts_sum(session);
}

/* Begins with what is known where stream `first` begins. */
static int take_facts(struct csg_session *session, struct csg_unpack *u, size_t first)
{
	struct csg_attribution *a = session->registry.attribution;
	struct csg_unpack own = {0};
	int err;

	if (csg_unpack_number(u) != csg_session_recording_sum(session) ||
	    csg_unpack_number(u) != session->stream_count)
		return u->failed ? -CSG_E_CORRUPT : -CSG_E_CONTRADICTED;
	for (size_t i = 0; i <= session->stream_count; i++) {
		const size_t n = csg_unpack_count(u, 1);
		const void *bytes = csg_unpack_bytes(u, n);

		if (!bytes)
			return -CSG_E_CORRUPT;
		if (!i && !is_same(session, bytes, n))
			return -CSG_E_CONTRADICTED;
		if (i == first)
			own = (struct csg_unpack){.at = bytes, .end = (const uint8_t *)bytes + n};
	}
	err = csg_crossing_facts_unpack(a, &own);
	if (!err)
		err = csg_unpack_end(&own);
	if (!err)
		csg_session_resume_policy(session);
	return err;
}

int csg_session_begin_shard(struct csg_session *session, uint32_t shard, uint32_t shards,
			    const void *facts, size_t n)
{
	const size_t first = first_of(session, shard - 1, shards);
	const size_t end =
		shard == shards ? session->stream_count : first_of(session, shard, shards);
	struct csg_unpack u;
	int err = facts ? csg_session_facts_read(&u, facts, n) : 0;

	if (session->sharded || session->options.facts || session->chosen || session->handed_out ||
	    session->current)
		return -CSG_E_USAGE;
	if (facts && !err)
		err = take_facts(session, &u, first);
	if (err)
		return err;
	session->current = session->first = first;
	session->end = end;
	session->sharded = true;
	session->total_bytes = 0;
	for (size_t i = first; i < end; i++)
		session->total_bytes += csg_session_source_bytes(session, session->infos[i].source);
	return 0;
}

bool csg_session_decodes(const struct csg_session *session, uint32_t stream)
{
	return !session->sharded || (stream >= session->first && stream < session->end);
}
