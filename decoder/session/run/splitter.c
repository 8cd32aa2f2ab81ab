/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/run/splitter.h"

#include <stdlib.h>

#include "csguest/attribution.h"
#include "csguest/element.h"
#include "csguest/error.h"
#include "session/run/first_bytes.h"
#include "session/run/prescan.h"
#include "world/policy.h"

#define BLOCK (64u << 10) /* bytes that are read at a time */

enum stage { NEXT_CHUNK, DECODE, BARRIER, FINISH, AT_END };

/* Who seems to be in force at index, which lies in the job. */
static uint32_t owner_at(const struct csg_splitter *r, const struct csg_job *job, uint64_t index)
{
	uint32_t owner = job->fresh ? 0 : r->owner;

	for (size_t i = 0; i < job->segments.n && job->segments.at[i].index < index; i++)
		if (!job->segments.at[i].gap || job->segments.at[i].reset)
			owner = job->segments.at[i].owner;
	return owner;
}

static bool is_chosen(const struct csg_splitter *r, uint8_t how)
{
	return !r->chosen || (r->chunk < r->chunk_count && r->chosen[r->chunk] & how);
}

/* Of a job that the index has, all is known but where its bytes end. */
static int end_known_job(struct csg_splitter *r, struct csg_job *job, uint64_t index)
{
	job->trace_bytes = r->read;
	r->owner = owner_at(r, job, index);
	return job->end == index ? 0 : -CSG_E_CORRUPT;
}

/* The job ends before index: what was found up to there is its. */
static int end_job(struct csg_splitter *r, struct csg_job *job, uint64_t index)
{
	int err;

	if (r->known.index)
		return end_known_job(r, job, index);
	err = csg_ahead_give(&r->ahead, index, job);
	job->end = index;
	job->trace_bytes = r->read;
	job->bytes_lost = r->ahead.bytes_lost;
	if (!err && r->async < index && job->bytes.n >= r->overlap + CSG_JOB_OVERLAP)
		err = csg_job_overlap(&r->next, job, r->async);
	r->next.guess.owner = owner_at(r, job, r->async);
	r->owner = owner_at(r, job, index);
	r->async = UINT64_MAX;
	return err;
}

static int add_gap(struct csg_job *job, enum csg_gap gap, uint64_t index, uint64_t lost)
{
	const struct csg_job_step step = {
		.kind = CSG_JOB_GAP,
		.index = index,
		.gap = (uint8_t)gap,
		.n = lost > UINT32_MAX ? UINT32_MAX : (uint32_t)lost,
	};

	return csg_job_add_step(job, &step);
}

static int add_step(struct csg_job *job, enum csg_job_step_kind kind, uint64_t index)
{
	return csg_job_add_step(job, &(struct csg_job_step){.kind = (uint8_t)kind, .index = index});
}

/* Whether the trace goes on without a break in the next chunk. */
static bool goes_on(const struct csg_splitter *r)
{
	const struct csg_chunk *next = &r->chunks[r->chunk] + 1;

	return r->chunk + 1 < r->chunk_count && (next->flags & CSG_CHUNK_CONTINUES) &&
	       csg_chunk_is_of(next, r->setup.source);
}

/* What an index keeps, so that decoding can start here. */
static void note_start(const struct csg_splitter *r, struct csg_job *job)
{
	job->start = (struct csg_job_start){.possible = true};
	if (job->fresh)
		return;
	job->start.possible = !r->demux->frame_len && !r->demux->half;
	job->start.id = r->demux->current;
	job->start.owner = r->owner;
}

static int begin_chunk(struct csg_splitter *r, struct csg_job *job)
{
	const struct csg_chunk *chunk = &r->chunks[r->chunk];
	int err = 0;

	job->chunk = chunk;
	job->fresh = !r->continues;
	job->first = true;
	job->unwanted = !is_chosen(r, CSG_CHUNK_WANTED);
	note_start(r, job);
	if (!r->known.index)
		csg_ahead_begin(&r->ahead, chunk, r->continues, goes_on(r));
	if (job->fresh) {
		csg_first_bytes_begin(r->demux, r->setup.source, r->ids, chunk);
		r->demux->joins = true;
		r->begun = false;
		r->nobodys = 0;
		if (chunk->flags & CSG_CHUNK_GAP)
			err = add_gap(job, CSG_GAP_BUFFER, chunk->position, 0);
	}
	r->continues = false;
	r->offset = 0;
	r->run = (struct csg_run){0};
	r->run_done = 0;
	r->stage = DECODE;
	if (err || !r->known.index)
		return err;
	err = csg_job_cursor_begin(&r->known, r->chunk, job);
	if (csg_job_starts_amid(job))
		r->demux->current = job->start.id;
	return err;
}

/* The first A-Sync at index or after it that the look ahead knows; UINT64_MAX: none. */
static uint64_t next_async(const struct csg_splitter *r, uint64_t index)
{
	for (size_t i = 0; i < r->ahead.asyncs.n; i++)
		if (r->ahead.asyncs.at[i] >= index)
			return r->ahead.asyncs.at[i];
	return UINT64_MAX;
}

/* The job ends after the next A-Sync: how many bytes of the run it may get up to there. */
static size_t look_for_overlap(struct csg_splitter *r, const struct csg_job *job,
			       const struct csg_run *run)
{
	size_t capacity = CSG_JOB_BYTES_MAX - job->bytes.n, before;
	uint64_t async = next_async(r, run->index);

	if (async == run->index) {
		r->async = run->index;
		r->overlap = job->bytes.n;
	}
	before = csg_run_before(run, async);
	return before < capacity ? before : capacity;
}

/* Where the bytes of a job end that the index has: the last one gets all of its chunk. */
static uint64_t known_end(const struct csg_job *job)
{
	return job->last ? UINT64_MAX : job->end;
}

/*
 * How many bytes of the run the job may get at once: up to where owners are settled, where the
 * overlap begins, and where it has enough.
 */
static size_t portion(struct csg_splitter *r, const struct csg_job *job, const struct csg_run *run)
{
	size_t capacity = CSG_JOB_BYTES_MAX - job->bytes.n;
	size_t n = csg_run_before(run, r->known.index ? known_end(job) : r->ahead.settled);

	if (r->known.index)
		capacity += CSG_JOB_OVERLAP;
	else if (job->bytes.n < CSG_JOB_BYTES)
		capacity = CSG_JOB_BYTES - job->bytes.n;
	else if (r->async == UINT64_MAX)
		capacity = look_for_overlap(r, job, run);
	if (r->async != UINT64_MAX)
		capacity = r->overlap + CSG_JOB_OVERLAP - job->bytes.n;
	return n < capacity ? n : capacity;
}

/* Whether the job has enough. */
static bool is_full(const struct csg_splitter *r, const struct csg_job *job)
{
	if (r->known.index)
		return job->bytes.n >= CSG_JOB_BYTES_MAX + CSG_JOB_OVERLAP;
	if (r->async != UINT64_MAX)
		return job->bytes.n >= r->overlap + CSG_JOB_OVERLAP;
	return job->bytes.n >= CSG_JOB_BYTES_MAX;
}

/* Whether the job ends before index, which is the next owner's, held back: 1, 0, or an error. */
static int ends_before(struct csg_splitter *r, struct csg_job *job, uint64_t index)
{
	int err;

	if (r->known.index)
		return index >= known_end(job);
	err = index < r->ahead.settled ? 0 : csg_ahead_look(&r->ahead, index);
	job->hold = !err && index >= r->ahead.settled && r->ahead.holds;
	return err ? err : job->hold;
}

/*
 * Puts the current run into the job: 1, 0 where the job ends, or an error.  A job ends where it has
 * enough, and where the next owner is held back.
 */
static int add_run(struct csg_splitter *r, struct csg_job *job)
{
	while (r->run_done < r->run.n) {
		struct csg_run run = csg_run_part(&r->run, r->run_done, r->run.n - r->run_done);
		int err = ends_before(r, job, run.index);

		if (err < 0)
			return err;
		if (err || is_full(r, job))
			return end_job(r, job, run.index);
		run.n = portion(r, job, &run);
		err = csg_job_add_run(job, &run);
		if (err)
			return err;
		r->run_done += run.n;
		r->begun = true;
	}
	return 1;
}

/* Gives the demultiplexer the next bytes. */
static int next_input(struct csg_splitter *r, struct csg_job *job)
{
	const struct csg_chunk *chunk = &r->chunks[r->chunk];
	const uint8_t *bytes;
	uint64_t left = chunk->bytes > r->offset ? chunk->bytes - r->offset : 0;
	size_t n = left < BLOCK ? left : BLOCK;
	int err = n ? csg_window_read(r->window, chunk, r->offset, &bytes, &n) : 0;

	if (err || !n) {
		r->stage = FINISH;
		return err ? add_gap(job, CSG_GAP_UNREADABLE, chunk->position + r->offset,
				     chunk->bytes - r->offset)
			   : 0;
	}
	csg_demux_input(r->demux, chunk->position + r->offset, bytes, n);
	r->offset += n;
	r->read += n;
	return 0;
}

/* Bytes of no ID have come: the first source of the queue reports it, so that it is reported
 * once. */
static int tell_nobodys(struct csg_splitter *r, struct csg_job *job)
{
	const uint64_t n = r->demux->nobodys - r->nobodys;
	const struct csg_chunk *chunk = &r->chunks[r->chunk];

	r->nobodys = r->demux->nobodys;
	if (!n || !r->setup.source->first)
		return 0;
	return add_gap(job, CSG_GAP_NO_ID, r->run.n ? r->run.index : chunk->position + r->offset,
		       n);
}

/* Puts bytes into the job until it ends (0) or the stage changes (1), or an error. */
static int decode(struct csg_splitter *r, struct csg_job *job)
{
	while (r->stage == DECODE) {
		int err = add_run(r, job);

		if (err <= 0)
			return err;
		r->run.n = r->run_done = 0;
		if (csg_demux_next(r->demux, &r->run)) {
			err = tell_nobodys(r, job);
			r->stage = r->run.reset ? BARRIER : DECODE;
			if (err < 0)
				return err;
		} else if ((err = next_input(r, job)) < 0)
			return err;
	}
	return 1;
}

/* A driver's barrier inside a chunk: trace was lost there. */
static int pass_barrier(struct csg_splitter *r, struct csg_job *job)
{
	uint64_t index = r->run.index;
	int err = 0;

	r->async = UINT64_MAX; /* nothing leads across */

	/* At the beginning of a buffer it only marks where this begins. */
	if (r->begun)
		err = add_step(job, CSG_JOB_END, index);
	if (!err && r->begun)
		err = add_step(job, CSG_JOB_RESTART, index);
	if (!err && r->begun)
		err = add_gap(job, CSG_GAP_BUFFER, index, 0);
	r->begun = false;
	r->run.n = r->run_done = 0;
	r->run.reset = false;
	r->stage = DECODE;
	return err;
}

/* The job ends with the chunk: elements of two chunks never mix. */
static int finish_chunk(struct csg_splitter *r, struct csg_job *job)
{
	const struct csg_chunk *chunk = &r->chunks[r->chunk];
	uint64_t end = chunk->position + chunk->bytes;
	int err = 0;

	if (!r->known.index) {
		job->last = true;
		job->unsynced = r->ahead.scanned ? r->ahead.unsynced : 0;
	}
	r->continues = goes_on(r);
	if (!r->continues)
		err = tell_nobodys(r, job);
	if (!err && !r->continues && r->demux->unclaimed)
		err = add_gap(job, CSG_GAP_NO_ID, end, r->demux->unclaimed);
	/* No A-Sync follows, where those before one are a gap of the flow's. */
	if (!err && !r->continues && job->unsynced)
		err = add_gap(job, CSG_GAP_NO_SYNC, end, job->unsynced);
	if (!err && !r->continues)
		err = add_step(job, CSG_JOB_END, end);
	if (!err && (chunk->flags & CSG_CHUNK_TRUNCATED))
		err = add_gap(job, CSG_GAP_TRUNCATED, end, 0);
	if (!err && (chunk->flags & CSG_CHUNK_COLLISION))
		err = add_gap(job, CSG_GAP_COLLISION, end, 0);
	if (!err && (chunk->flags & CSG_CHUNK_PARTIAL))
		err = add_gap(job, CSG_GAP_PARTIAL, end, 0);
	r->chunk++;
	r->stage = NEXT_CHUNK;
	return err ? err : end_job(r, job, r->continues ? end : UINT64_MAX);
}

/* Makes what is large, once it is known to be needed. */
static int open_splitter(struct csg_splitter *r)
{
	int err = r->setup.open(r->setup.arg);

	if (!err) {
		r->demux = calloc(1, sizeof(*r->demux));
		err = r->demux ? 0 : -CSG_E_NO_MEMORY;
	}
	if (!err)
		err = csg_window_create(&r->window, r->setup.rec);
	if (!err && !r->known.index)
		err = csg_ahead_init(&r->ahead, r->setup.rec, r->setup.source, r->setup.registry,
				     r->setup.owners);
	r->ahead.survey = r->setup.survey;
	r->opened = true;
	return err;
}

/* Chunks before the first byte of the source are skipped. */
static int open_when_needed(struct csg_splitter *r, const struct csg_chunk *chunk, bool *opened)
{
	int err = 0;

	*opened = r->opened;
	if (*opened)
		return 0;
	if (r->known.index)
		*opened = csg_job_index_block(r->known.index, r->chunk) != NULL;
	else
		err = csg_first_bytes_in(r->setup.rec, r->setup.source, r->ids, chunk, opened);
	if (!err && *opened)
		err = open_splitter(r);
	if (!err && *opened && !r->known.index &&
	    csg_policy_has(csg_attribution_hypervisor(r->setup.registry->attribution),
			   CSG_TRAIT_HOST_AT_EL2))
		err = csg_prescan_exits(r->setup.registry->attribution, r->setup.owners,
					r->setup.rec, r->setup.source, chunk);
	return err;
}

static int find_chunk(struct csg_splitter *r, struct csg_job *job)
{
	for (; r->chunk < r->chunk_count; r->chunk++) {
		bool opened;
		int err;

		if (!csg_chunk_is_of(&r->chunks[r->chunk], r->setup.source))
			continue;
		r->continues &= is_chosen(r, CSG_CHUNK_NEEDED);
		if (!is_chosen(r, CSG_CHUNK_NEEDED))
			continue;
		err = open_when_needed(r, &r->chunks[r->chunk], &opened);
		if (err)
			return err;
		if (opened)
			return begin_chunk(r, job);
	}
	r->chunk = r->chunk_count;
	r->stage = AT_END;
	csg_ahead_end(&r->ahead);
	csg_window_destroy(r->window);
	r->window = NULL;
	return 0;
}

/* One step of making the job: 1, 0 when it has ended, or an error. */
static int make_more(struct csg_splitter *r, struct csg_job *job)
{
	int err = 0;

	switch (r->stage) {
	case NEXT_CHUNK:
		err = find_chunk(r, job);
		if (r->stage != AT_END)
			job->chunk = &r->chunks[r->chunk];
		break;
	case DECODE:
		return decode(r, job);
	case BARRIER:
		err = pass_barrier(r, job);
		break;
	case FINISH:
		return finish_chunk(r, job);
	case AT_END:
		return 0;
	}
	return err ? err : 1;
}

/* The overlap with the job before. */
static void hand_guess(struct csg_splitter *r, struct csg_job *job)
{
	struct csg_job empty = *job;

	job->guess = r->next.guess;
	r->next.guess = empty.guess;
}

int csg_splitter_make(struct csg_splitter *r, struct csg_job *job)
{
	int err = 0, ret;

	csg_job_clear(job);
	hand_guess(r, job);
	job->chunk = r->stage == NEXT_CHUNK ? NULL : &r->chunks[r->chunk];
	if (r->known.index && job->chunk && r->stage != AT_END)
		err = csg_job_cursor_next(&r->known, job);
	if (err)
		return err;
	job->unwanted = job->chunk && !is_chosen(r, CSG_CHUNK_WANTED);
	do
		ret = make_more(r, job);
	while (ret > 0);
	if (ret)
		return ret;
	r->holds = r->stage != AT_END && job->hold && !r->known.index;
	return r->stage != AT_END;
}

int csg_splitter_release(struct csg_splitter *r, uint64_t eret)
{
	r->holds = false;
	return csg_ahead_release(&r->ahead, eret);
}

void csg_splitter_learn(struct csg_splitter *r, const struct csg_job *job)
{
	if (!r->known.index)
		csg_ahead_learn(&r->ahead, job);
}

void csg_splitter_choose(struct csg_splitter *r, const uint8_t *chosen,
			 const struct csg_job_index *index)
{
	r->chosen = chosen;
	r->known.index = index;
}

/* Sources of a queue follow one another, the first of them marked so. */
static void find_ids(struct csg_splitter *r)
{
	size_t n;
	const struct csg_source *all = csg_recording_sources(r->setup.rec, &n);
	const struct csg_source *source = r->setup.source;

	if (!source->first)
		return;
	for (const struct csg_source *s = source; s < all + n && s->queue == source->queue; s++)
		r->ids[s->trace_id / 64 % 2] |= UINT64_C(1) << s->trace_id % 64;
}

void csg_splitter_init(struct csg_splitter *r, const struct csg_splitter_setup *setup)
{
	*r = (struct csg_splitter){.setup = *setup, .async = UINT64_MAX};
	find_ids(r);
	r->chunks = csg_recording_queue(setup->rec, setup->source->queue, &r->chunk_count);
}

void csg_splitter_fini(struct csg_splitter *r)
{
	csg_ahead_fini(&r->ahead);
	csg_window_destroy(r->window);
	free(r->demux);
	csg_job_fini(&r->next);
}
