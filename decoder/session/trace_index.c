/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/trace_index.h"

#include <stdlib.h>

#include "csguest/error.h"
#include "guest/answers.h"
#include "guest/crossing_facts.h"
#include "guest/attribution.h"
#include "session/facts_file.h"
#include "session/run/job_index.h"
#include "session/session_policy.h"
#include "session/session_state.h"
#include "util/report.h"

/* --- writing --- */

static void pack_prescan(const struct csg_prescan_facts *prescan, struct csg_pack *facts)
{
	csg_pack_number(facts, prescan->stated);
	csg_pack_number(facts, prescan->shown.n);
	csg_pack_bytes(facts, prescan->shown.bytes, prescan->shown.n);
}

void csg_trace_index_pack(const struct csg_session *session, struct csg_pack *facts)
{
	pack_prescan(&session->prescan, facts);
	csg_kernel_samples_pack(&session->kernels.samples, facts);
	csg_pack_number(facts, session->opened_sum);
	csg_owner_table_pack(&session->registry.owners, facts);
	csg_contradictions_pack(csg_attribution_contradictions(session->registry.attribution),
				facts);
}

/* --- why it is not taken --- */

static const struct refusal {
	int err;
	const char *text, *remedy;
} refusals[] = {
	{-CSG_E_NOT_FOUND, "there is no such file", "make it with csguest prepare --index"},
	{-CSG_E_IO, "cannot be read", "name a file that can be read"},
	{-CSG_E_BAD_MAGIC, "no facts of csguest prepare", "make them with csguest prepare --index"},
	{-CSG_E_UNSUPPORTED, "facts of another version of csguest",
	 "run csguest prepare --index of this version"},
	{-CSG_E_NO_TRACE, "the facts hold no index", "make them with csguest prepare --index"},
	{-CSG_E_CONTRADICTED, "facts of another recording, or made with other options",
	 "run csguest prepare --index with this recording and these options"},
	{-CSG_E_CORRUPT, "the facts are cut short or damaged", "run csguest prepare --index again"},
};

static int refuse(const struct csg_session *session, int err)
{
	for (size_t i = 0; i < sizeof(refusals) / sizeof(*refusals); i++)
		if (refusals[i].err == err)
			return csg_report(session->sink, CSG_ERROR, (enum csg_error) - err,
					  session->options.facts, CSG_NO_OFFSET, refusals[i].remedy,
					  "%s", refusals[i].text);
	return err;
}

/* --- reading --- */

/* The facts before each stream and after the last, of which the first and the last count. */
static int read_facts(struct csg_trace_index *index, struct csg_unpack *u)
{
	for (uint64_t i = 0; i <= index->streams; i++) {
		const size_t n = csg_unpack_count(u, 1);
		const uint8_t *at = csg_unpack_bytes(u, n);

		if (!at)
			return -CSG_E_CORRUPT;
		index->last = (struct csg_unpack){.at = at, .end = at + n};
		if (!i)
			index->first = index->last;
	}
	return 0;
}

static void unpack_prescan(struct csg_unpack *u, struct csg_trace_index *index)
{
	size_t n;

	index->stated = csg_unpack_number(u);
	n = csg_unpack_count(u, 1);
	index->prescanned.at = csg_unpack_bytes(u, n);
	index->prescanned.end = index->prescanned.at ? index->prescanned.at + n : NULL;
}

static int read_file(struct csg_session *session, struct csg_trace_index *index)
{
	struct csg_unpack u;
	int err = csg_file_map(&index->file, session->options.facts);

	if (!err)
		err = csg_session_facts_read_file(&u, &index->file);
	if (!err && csg_unpack_number(&u) != csg_session_recording_sum(session))
		err = u.failed ? -CSG_E_CORRUPT : -CSG_E_CONTRADICTED;
	if (err)
		return err;
	index->streams = csg_unpack_number(&u);
	err = read_facts(index, &u);
	if (!err && !csg_unpack_below(&u, 2))
		err = u.failed ? -CSG_E_CORRUPT : -CSG_E_NO_TRACE;
	if (err)
		return err;
	unpack_prescan(&u, index);
	err = csg_kernel_samples_unpack(&index->kernels, &u);
	index->rest = u;
	return err;
}

int csg_trace_index_open(struct csg_session *session)
{
	int err = session->options.facts ? read_file(session, &session->index) : 0;

	return err ? refuse(session, err) : 0;
}

static int take_facts(struct csg_session *session, struct csg_unpack *facts)
{
	int err = csg_crossing_facts_unpack(session->registry.attribution, facts);

	return err ? err : csg_unpack_end(facts);
}

int csg_trace_index_prescan(struct csg_session *session)
{
	struct csg_trace_index *index = &session->index;
	int err = index->stated == session->prescan.stated ? take_facts(session, &index->prescanned)
							   : -CSG_E_CONTRADICTED;

	return err ? refuse(session, err) : 0;
}

int csg_trace_index_begin(struct csg_session *session)
{
	struct csg_trace_index *index = &session->index;
	int err = csg_unpack_number(&index->rest) == session->opened_sum ? 0 : -CSG_E_CONTRADICTED;

	if (!err)
		err = take_facts(session, &index->first);
	if (err)
		return refuse(session, err);
	return csg_guests_date(&session->guests, &session->registry);
}

/* Owners have the numbers here that the index has. */
static int take_owners(struct csg_session *session, struct csg_unpack *u, size_t *n)
{
	*n = csg_unpack_count(u, CSG_OWNER_PACKED);
	for (size_t i = 0; i < *n; i++) {
		struct csg_owner owner;
		int64_t number;

		if (!csg_owner_unpack(u, &owner))
			return -CSG_E_CORRUPT;
		number = csg_registry_number(&session->registry, &owner);
		if (number < 0)
			return (int)number;
		if ((uint64_t)number != i)
			return -CSG_E_CONTRADICTED;
	}
	return 0;
}

static int take_contradictions(struct csg_session *session, struct csg_unpack *u)
{
	struct csg_contradiction one;
	size_t n = csg_contradictions_unpack_count(u);
	int err = 0;

	for (; !err && n; n--) {
		err = csg_contradiction_unpack(u, &one) ? 0 : -CSG_E_CORRUPT;
		if (!err)
			err = csg_attribution_contradict(session->registry.attribution, &one);
	}
	return err;
}

static int take_jobs(struct csg_session *session, struct csg_unpack *u, size_t owners)
{
	struct csg_trace_index *index = &session->index;
	int err = 0;

	index->jobs = calloc(session->stream_count + 1, sizeof(*index->jobs));
	if (!index->jobs)
		return -CSG_E_NO_MEMORY;
	for (size_t i = 0; !err && i < session->stream_count; i++) {
		size_t chunks;

		csg_recording_queue(session->rec, session->infos[i].source->queue, &chunks);
		err = csg_job_index_read(&index->jobs[i], u, chunks, owners);
		csg_stream_choose(session->streams[i], NULL, &index->jobs[i]);
	}
	return err ? err : csg_unpack_end(u);
}

int csg_trace_index_take(struct csg_session *session)
{
	struct csg_trace_index *index = &session->index;
	size_t owners;
	int err = index->streams == session->stream_count ? 0 : -CSG_E_CONTRADICTED;

	if (!err)
		err = take_owners(session, &index->rest, &owners);
	if (!err)
		err = take_contradictions(session, &index->rest);
	if (!err)
		err = take_jobs(session, &index->rest, owners);
	if (!err)
		err = take_facts(session, &index->last);
	if (err)
		return refuse(session, err);
	csg_session_resume_policy(session);
	return 0;
}

void csg_trace_index_fini(struct csg_session *session)
{
	struct csg_trace_index *index = &session->index;

	for (size_t i = 0; index->jobs && i < session->stream_count; i++)
		csg_job_index_fini(&index->jobs[i]);
	free(index->jobs);
	csg_kernel_samples_fini(&index->kernels);
	csg_file_unmap(&index->file);
}
