/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/run/job_index.h"

#include <stdlib.h>

#include "csguest/error.h"
#include "util/array.h"
#include "util/bisect.h"

/* Bits of a job, and of a segment. */
#define JOB_HOLD 1u
#define JOB_LAST 2u
#define SEGMENT_AT_CONTEXT 1u
#define SEGMENT_AT_TIME 2u
#define SEGMENT_RESET 4u
#define SEGMENT_GUEST_RAN 8u

/* --- writing --- */

static void add_segment(struct csg_job_index_writer *w, const struct csg_job_segment *s)
{
	struct csg_pack *p = &w->job;

	csg_pack_difference(p, s->index, w->index);
	csg_pack_short(
		p, (s->at_context ? SEGMENT_AT_CONTEXT : 0) | (s->at_time ? SEGMENT_AT_TIME : 0) |
			   (s->reset ? SEGMENT_RESET : 0) | (s->guest_ran ? SEGMENT_GUEST_RAN : 0));
	csg_pack_short(p, s->gap);
	csg_pack_short(p, s->lost);
	csg_pack_short(p, s->owner);
	w->index = s->index;
}

/* Whether latest is known, and then what it differs by. */
static void add_time(struct csg_job_index_writer *w, const struct csg_job_time *t)
{
	struct csg_pack *p = &w->job;

	csg_pack_difference(p, t->index, w->index);
	csg_pack_difference(p, t->time, w->time);
	csg_pack_short(p, t->latest != 0);
	if (t->latest)
		csg_pack_difference(p, t->latest, t->time);
	w->index = t->index;
	w->time = t->time;
}

/* The dates of the job that was added last. */
static void end_job(struct csg_job_index_writer *w)
{
	struct csg_pack *p = &w->job;

	csg_pack_short(p, w->dates.n);
	for (size_t i = 0; i < w->dates.n; i++) {
		csg_pack_difference(p, w->dates.at[i].index, w->index);
		csg_pack_difference(p, w->dates.at[i].time, w->time);
		w->index = w->dates.at[i].index;
		w->time = w->dates.at[i].time;
	}
	w->dates.n = 0;
	csg_spool_add(&w->jobs, p->bytes, p->n);
	p->n = 0;
}

static void end_block(struct csg_job_index_writer *w)
{
	struct csg_pack *p = &w->heads;

	if (!w->begun)
		return;
	end_job(w);
	csg_pack_short(p, w->chunk);
	csg_pack_short(p, w->asyncs);
	csg_pack_short(p, w->known_dates);
	csg_pack_short(p, w->dated);
	csg_pack_short(p, w->start.possible);
	csg_pack_short(p, w->start.id);
	csg_pack_short(p, w->start.owner);
	csg_pack_short(p, w->jobs.n - w->block_begin);
	w->blocks++;
	w->begun = false;
}

static void begin_block(struct csg_job_index_writer *w, const struct csg_job *job, uint64_t chunk,
			uint64_t dated)
{
	end_block(w);
	w->begun = true;
	w->block_begin = w->jobs.n;
	w->chunk = chunk;
	w->dated = dated;
	w->start = job->start;
	w->asyncs = w->known_dates = 0;
	w->index = job->chunk->position;
	w->time = 0;
}

void csg_job_index_add(struct csg_job_index_writer *w, const struct csg_job *job, uint64_t chunk,
		       uint64_t dated)
{
	struct csg_pack *p = &w->job;

	if (job->first)
		begin_block(w, job, chunk, dated);
	else
		end_job(w);
	csg_pack_short(p, (job->hold ? JOB_HOLD : 0) | (job->last ? JOB_LAST : 0));
	csg_pack_difference(p, job->end, w->index);
	csg_pack_short(p, job->bytes_lost - w->bytes_lost);
	csg_pack_short(p, job->unsynced);
	w->bytes_lost = job->bytes_lost;
	csg_pack_short(p, job->segments.n);
	for (size_t i = 0; i < job->segments.n; i++)
		add_segment(w, &job->segments.at[i]);
	csg_pack_short(p, job->times.n);
	for (size_t i = 0; i < job->times.n; i++)
		add_time(w, &job->times.at[i]);
	csg_pack_short(p, job->asyncs.n);
	for (size_t i = 0; i < job->asyncs.n; i++) {
		csg_pack_difference(p, job->asyncs.at[i], w->index);
		w->index = job->asyncs.at[i];
	}
	w->asyncs += job->asyncs.n;
}

void csg_job_index_date(struct csg_job_index_writer *w, uint64_t index, uint64_t time)
{
	const struct csg_job_date date = {index, time};

	w->known_dates += time != 0;
	if (csg_array_grow((void **)&w->dates.at, w->dates.n, &w->dates.capacity,
			   sizeof(*w->dates.at)))
		w->failed = true;
	else
		w->dates.at[w->dates.n++] = date;
}

void csg_job_index_end(struct csg_job_index_writer *w)
{
	end_block(w);
	w->failed |= w->heads.failed || w->jobs.failed || w->job.failed;
}

static int put(void *arg, const void *bytes, size_t n)
{
	struct csg_pack_out *out = arg;

	csg_pack_put(out, bytes, n);
	return out->error;
}

void csg_job_index_write(const struct csg_job_index_writer *w, struct csg_pack_out *out)
{
	csg_pack_put_number(out, w->blocks);
	csg_pack_put_number(out, w->heads.n);
	csg_pack_put(out, w->heads.bytes, w->heads.n);
	csg_pack_put_number(out, w->jobs.n);
	csg_spool_each(&w->jobs, put, out);
}

void csg_job_index_writer_fini(struct csg_job_index_writer *w)
{
	csg_pack_fini(&w->heads);
	csg_spool_fini(&w->jobs);
	csg_pack_fini(&w->job);
	free(w->dates.at);
	*w = (struct csg_job_index_writer){.jobs.memory = w->jobs.memory};
}

/* --- reading --- */

/* Of each, at least. */
#define HEAD_BYTES 8
#define SEGMENT_BYTES 5
#define TIME_BYTES 3
#define DATE_BYTES 2

static void read_head(struct csg_job_block *b, struct csg_unpack *u)
{
	b->chunk = csg_unpack_short(u);
	b->asyncs = csg_unpack_short(u);
	b->dates = csg_unpack_short(u);
	b->dated = csg_unpack_short(u);
	b->start.possible = csg_unpack_short(u) != 0;
	b->start.id = (uint8_t)csg_unpack_short(u);
	b->start.owner = (uint32_t)csg_unpack_short(u);
	b->n = csg_unpack_short(u);
}

/* The heads, each with its jobs; chunks are in order. */
static bool read_blocks(struct csg_job_index *index, struct csg_unpack *heads,
			struct csg_unpack *jobs, uint64_t chunks)
{
	for (size_t i = 0; i < index->count; i++) {
		struct csg_job_block *b = &index->blocks[i];

		read_head(b, heads);
		b->jobs = csg_unpack_bytes(jobs, b->n);
		if (heads->failed || jobs->failed || b->chunk >= chunks ||
		    b->start.owner >= index->owners || (i && b->chunk <= b[-1].chunk))
			return false;
	}
	return !csg_unpack_end(heads) && !csg_unpack_end(jobs);
}

static struct csg_unpack read_part(struct csg_unpack *unpack)
{
	const size_t n = csg_unpack_count(unpack, 1);
	const uint8_t *at = csg_unpack_bytes(unpack, n);

	return (struct csg_unpack){.at = at, .end = at ? at + n : NULL, .failed = !at};
}

int csg_job_index_read(struct csg_job_index *index, struct csg_unpack *unpack, uint64_t chunks,
		       uint64_t owners)
{
	struct csg_unpack heads, jobs;

	*index = (struct csg_job_index){.owners = owners};
	index->count = csg_unpack_count(unpack, HEAD_BYTES);
	heads = read_part(unpack);
	jobs = read_part(unpack);
	if (unpack->failed)
		return -CSG_E_CORRUPT;
	index->blocks = calloc(index->count + 1, sizeof(*index->blocks));
	if (!index->blocks)
		return -CSG_E_NO_MEMORY;
	return read_blocks(index, &heads, &jobs, chunks) ? 0 : -CSG_E_CORRUPT;
}

void csg_job_index_fini(struct csg_job_index *index)
{
	free(index->blocks);
	*index = (struct csg_job_index){0};
}

const struct csg_job_block *csg_job_index_block(const struct csg_job_index *index, uint64_t chunk)
{
	size_t i;

	CSG_BISECT(i, index->count, index->blocks[i].chunk < chunk);
	return i < index->count && index->blocks[i].chunk == chunk ? &index->blocks[i] : NULL;
}

static int read_segment(struct csg_job_cursor *c, struct csg_job *job)
{
	struct csg_unpack *u = &c->rest;
	struct csg_job_segment s = {0};
	uint64_t bits, gap, owner;

	c->at = s.index = csg_unpack_difference(u, c->at);
	bits = csg_unpack_short(u);
	gap = csg_unpack_short(u);
	s.lost = csg_unpack_short(u);
	owner = csg_unpack_short(u);
	if (u->failed || gap >= CSG_GAP_COUNT || owner >= c->index->owners)
		return -CSG_E_CORRUPT;
	s.at_context = bits & SEGMENT_AT_CONTEXT;
	s.at_time = bits & SEGMENT_AT_TIME;
	s.reset = bits & SEGMENT_RESET;
	s.guest_ran = bits & SEGMENT_GUEST_RAN;
	s.gap = (uint8_t)gap;
	s.owner = (uint32_t)owner;
	return csg_job_add_segment(job, &s);
}

static int read_time(struct csg_job_cursor *c, struct csg_job *job)
{
	struct csg_unpack *u = &c->rest;
	struct csg_job_time t = {0};

	c->at = t.index = csg_unpack_difference(u, c->at);
	c->time = t.time = csg_unpack_difference(u, c->time);
	if (csg_unpack_short(u))
		t.latest = csg_unpack_difference(u, t.time);
	return csg_job_add_time(job, &t);
}

static int read_async(struct csg_job_cursor *c, struct csg_job *job)
{
	c->at = csg_unpack_difference(&c->rest, c->at);
	return csg_job_add_async(job, c->at);
}

static int read_date(struct csg_job_cursor *c, struct csg_job *job)
{
	struct csg_job_date date;

	c->at = date.index = csg_unpack_difference(&c->rest, c->at);
	c->time = date.time = csg_unpack_difference(&c->rest, c->time);
	return csg_job_add_date(job, &date);
}

/* A list of things that take some bytes each. */
static int read_list(struct csg_job_cursor *c, struct csg_job *job, size_t bytes,
		     int (*read)(struct csg_job_cursor *c, struct csg_job *job))
{
	const size_t n = csg_unpack_short_count(&c->rest, bytes);
	int err = 0;

	for (size_t i = 0; !err && i < n; i++)
		err = read(c, job);
	return err;
}

int csg_job_cursor_next(struct csg_job_cursor *c, struct csg_job *job)
{
	struct csg_unpack *u = &c->rest;
	const uint64_t bits = csg_unpack_short(u);
	int err;

	job->hold = bits & JOB_HOLD;
	job->last = bits & JOB_LAST;
	job->end = csg_unpack_difference(u, c->at);
	c->bytes_lost += csg_unpack_short(u);
	job->bytes_lost = c->bytes_lost;
	job->unsynced = csg_unpack_short(u);
	err = read_list(c, job, SEGMENT_BYTES, read_segment);
	if (!err)
		err = read_list(c, job, TIME_BYTES, read_time);
	if (!err)
		err = read_list(c, job, 1, read_async);
	if (!err)
		err = read_list(c, job, DATE_BYTES, read_date);
	/* The last one ends the block. */
	if (u->failed || job->last != (u->at == u->end))
		return -CSG_E_CORRUPT;
	return err;
}

int csg_job_cursor_begin(struct csg_job_cursor *c, uint64_t chunk, struct csg_job *job)
{
	const struct csg_job_block *block = csg_job_index_block(c->index, chunk);
	int err = 0;

	if (!block)
		return -CSG_E_CORRUPT;
	c->rest = (struct csg_unpack){.at = block->jobs, .end = block->jobs + block->n};
	c->at = job->chunk->position;
	c->time = 0;
	if (csg_job_starts_amid(job)) {
		job->start = block->start;
		job->start.dated = block->dated;
		err = csg_job_add_segment(job,
					  &(struct csg_job_segment){.index = job->chunk->position,
								    .owner = block->start.owner});
	}
	return err ? err : csg_job_cursor_next(c, job);
}
