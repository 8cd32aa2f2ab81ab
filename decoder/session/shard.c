/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/shard.h"

#include "csguest/error.h"
#include "guest/crossing_facts.h"
#include "session/session_open.h"
#include "session/session_policy.h"
#include "session/session_pull.h"
#include "session/session_state.h"

#define KIND "csgfacts"
#define VERSION 1

uint64_t csg_session_facts_sum(const struct csg_session *session)
{
	struct csg_pack pack = {0};
	uint64_t sum;

	csg_crossing_facts_pack(session->registry.attribution, &pack);
	sum = pack.failed ? 0 : csg_checksum(pack.bytes, pack.n);
	csg_pack_fini(&pack);
	return sum;
}

/* --- the recording --- */

static void pack_source(struct csg_pack *p, const struct csg_source *s)
{
	const uint64_t numbers[] = {s->queue,	      s->trace_id,   s->protocol,
				    (uint32_t)s->cpu, s->trcconfigr, s->trctraceidr,
				    s->trcidr0,	      s->trcidr1,    s->trcidr2,
				    s->trcidr8,	      s->trcdevarch, (uint64_t)s->ts_source};

	csg_pack_bytes(p, numbers, sizeof(numbers));
}

static void pack_chunk(struct csg_pack *p, const struct csg_chunk *c)
{
	const uint64_t numbers[] = {c->queue, c->framing, c->flags,	 c->position,
				    c->bytes, c->time,	  c->begin_time, (uint32_t)c->cpu};

	csg_pack_bytes(p, numbers, sizeof(numbers));
}

/* Where it lies does not matter: copies of it are on several machines. */
uint64_t csg_session_recording_sum(const struct csg_session *session)
{
	const struct csg_recording_info *info = csg_recording_info(session->rec);
	size_t sources, chunks;
	const struct csg_source *source = csg_recording_sources(session->rec, &sources);
	const struct csg_chunk *chunk = csg_recording_chunks(session->rec, &chunks);
	struct csg_pack pack = {0};
	uint64_t sum;

	csg_pack_text(&pack, info->hostname);
	csg_pack_text(&pack, info->os_release);
	csg_pack_text(&pack, info->cmdline);
	csg_pack_number(&pack, info->first_time);
	csg_pack_number(&pack, info->last_time);
	for (size_t i = 0; i < sources; i++)
		pack_source(&pack, &source[i]);
	for (size_t i = 0; i < chunks; i++)
		pack_chunk(&pack, &chunk[i]);
	sum = pack.failed ? 0 : csg_checksum(pack.bytes, pack.n);
	csg_pack_fini(&pack);
	return sum;
}

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

int csg_session_settle_facts(struct csg_session *session, bool decode, struct csg_pack *facts)
{
	int err = 0;

	csg_pack_begin(facts, KIND, VERSION);
	csg_pack_number(facts, csg_session_recording_sum(session));
	csg_pack_number(facts, session->stream_count);
	for (uint32_t i = 0; !err && i < session->stream_count; i++) {
		pack_facts(session, facts);
		err = read_stream(session, i, decode);
	}
	pack_facts(session, facts);
	csg_pack_end(facts);
	return err ? err : facts->failed ? -CSG_E_NO_MEMORY : 0;
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
	if (csg_unpack_end(u))
		return -CSG_E_CORRUPT;
	return csg_crossing_facts_unpack(a, &own) ? -CSG_E_CORRUPT : csg_unpack_end(&own);
}

int csg_session_begin_shard(struct csg_session *session, uint32_t shard, uint32_t shards,
			    const void *facts, size_t n)
{
	const size_t first = first_of(session, shard - 1, shards);
	const size_t end =
		shard == shards ? session->stream_count : first_of(session, shard, shards);
	struct csg_unpack u;
	int err = facts ? csg_unpack_begin(&u, facts, n, KIND, VERSION) : 0;

	if (session->sharded || session->handed_out || session->current)
		return -CSG_E_USAGE;
	if (facts && !err)
		err = take_facts(session, &u, first);
	if (err)
		return err;
	csg_session_resume_policy(session);
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
