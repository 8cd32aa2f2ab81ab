/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/facts_file.h"

#include "guest/crossing_facts.h"
#include "session/session_state.h"

#define KIND "csgfacts"
#define VERSION 3

void csg_session_facts_begin(struct csg_pack *pack)
{
	csg_pack_begin(pack, KIND, VERSION);
}

int csg_session_facts_read(struct csg_unpack *u, const void *facts, size_t n)
{
	return csg_unpack_begin(u, facts, n, KIND, VERSION);
}

int csg_session_facts_read_file(struct csg_unpack *u, const struct csg_file *file)
{
	return file->backed ? csg_unpack_begin_mapped(u, file->data, file->size, KIND, VERSION)
			    : csg_session_facts_read(u, file->data, file->size);
}

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
