/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/run/stream.h"

#include <stdlib.h>

#include "csguest/attribution.h"
#include "csguest/error.h"
#include "guest/attribution.h"
#include "guest/attribution_stream.h"
#include "session/run/pool.h"
#include "session/run/sampled.h"
#include "session/run/splitter.h"
#include "session/run/stream_counts.h"
#include "session/run/walker.h"

#define JOBS CSG_JOBS
#define TRIM_JOBS 8 /* made between two trims of what the facts take */

struct csg_stream {
	struct csg_stream_setup setup;
	struct csg_attribution_stream *owners;
	struct csg_splitter splitter;
	bool ended; /* the splitter has */
	struct csg_job
		*jobs; /* JOBS of them, from the first that is made until all are handed out */
	uint64_t made; /* how many; job n is jobs[n % JOBS] */

	/* One thread walks, or several do: */
	struct csg_walker walker;
	struct csg_relay *relay; /* NULL: one */
	uint64_t walked;
	bool walking;		/* job number walked is the current one */
	uint64_t before, after; /* indexes where the current job begins, and ends */

	struct csg_flow_block *block; /* of the relay's, the current one, or NULL */
	const struct csg_element
		*elements; /* that are handed out: of the flow's buffer, or the block */
	size_t count, taken;
	const void *codes; /* csg_batch.codes */
	const uintptr_t *executions;
	const struct csg_walk *walk; /* by the relay, of the current job */
	const struct csg_chunk *chunk;
	struct csg_job *job;		     /* the current one */
	struct csg_job_index_writer *writer; /* gets all jobs; or NULL */
	struct csg_stream_counts counts;
	uint64_t dated;			    /* host time of the last TIMESTAMP */
	uint64_t time, since;		    /* csg_batch.time; csg_stream_since() */
	const struct csg_chunk *time_chunk; /* that time was in */
	struct csg_sampled sampled;
	bool retired; /* all was handed out; these are its figures */
	struct csg_stream_figures figures;
};

static struct csg_job *job_at(struct csg_stream *s, uint64_t number)
{
	return &s->jobs[number % JOBS];
}

/* --- making jobs --- */

/* Learns what the jobs that are there have found out, once. */
static void learn_from_jobs(struct csg_stream *s)
{
	for (uint64_t n = s->made > JOBS ? s->made - JOBS : 0; n < s->made; n++) {
		csg_splitter_learn(&s->splitter, job_at(s, n));
		job_at(s, n)->entries.n = 0;
	}
}

/* The job made last has been walked: how it ended tells who comes next. */
static int release_held(struct csg_stream *s)
{
	learn_from_jobs(s);
	return csg_splitter_release(&s->splitter, job_at(s, s->made - 1)->eret);
}

/* Makes one more job in the place of one that has been walked, unless the splitter ends. */
static int make_job(struct csg_stream *s)
{
	struct csg_job *job;
	int ret;

	if (!s->jobs)
		s->jobs = calloc(JOBS, sizeof(*s->jobs));
	if (!s->jobs)
		return -CSG_E_NO_MEMORY;
	job = job_at(s, s->made);
	csg_splitter_learn(&s->splitter, job);
	ret = csg_splitter_make(&s->splitter, job);
	s->made += ret > 0;
	if (s->made % TRIM_JOBS == 1)
		csg_attribution_trim(s->owners);
	if (ret > 0 && s->relay)
		csg_relay_add(s->relay);
	s->ended = !ret;
	return ret < 0 ? ret : 0;
}

/*
 * Makes jobs, as many as are to be there when job number walked begins.  What walking finds out
 * counts for the job that is made JOBS later, whoever walks and however fast.
 */
static int make_jobs(struct csg_stream *s)
{
	int err = 0;

	while (!err && !s->ended && s->made < s->walked + JOBS) {
		if (s->splitter.holds && s->walked < s->made)
			break;
		if (s->splitter.holds)
			err = release_held(s);
		if (!err)
			err = make_job(s);
	}
	/* One source that cannot be decoded, as was reported, does not stop the others. */
	s->ended |= err == -CSG_E_UNSUPPORTED;
	return err == -CSG_E_UNSUPPORTED ? 0 : err;
}

/* --- walking them --- */

/*
 * Nobody asks for the times of timestamps any more that lie before the job before this one: a unit
 * may hold back some of that.
 */
static void forget_times(struct csg_stream *s)
{
	const struct csg_job *job = job_at(s, s->walked);

	if (!job->fresh)
		csg_attribution_forget(s->owners, s->before);
	s->before = job->fresh ? 0 : s->after;
	s->after = job->end;
}

/* A TIMESTAMP element gets its host time, or 0. */
static uint64_t date(void *arg, uint64_t index)
{
	struct csg_stream *s = arg;
	const uint64_t time = s->splitter.known.index ? csg_job_date_of(s->job, index)
						      : csg_attribution_time(s->owners, index);

	if (s->writer)
		csg_job_index_date(s->writer, index, time);
	if (!time)
		return 0;
	s->dated = time > s->dated ? time : s->dated;
	return s->dated;
}

/* Takes the job from whoever walked it, and what they have met. */
static int take_over(struct csg_stream *s, const struct csg_job *job)
{
	const struct csg_walk *walk = csg_relay_next(s->relay);

	if (!walk)
		return -CSG_E_NO_MEMORY;
	s->walk = walk;
	if (job->unwanted)
		return 0;
	s->counts.skipped += walk->skipped;
	s->counts.nobody_accesses += walk->nobody_accesses;
	csg_job_tell_misses(job);
	return 0;
}

/* The job goes into the index before anything in it is dated. */
static void record_job(struct csg_stream *s, const struct csg_job *job)
{
	if (s->writer)
		csg_job_index_add(s->writer, job, (uint64_t)(job->chunk - s->splitter.chunks),
				  s->dated);
}

/* Begins the next job: 1, 0 at the end of the stream, or an error. */
static int begin_job(struct csg_stream *s)
{
	int err = make_jobs(s);
	struct csg_job *job = job_at(s, s->walked);

	if (!err && s->walked == s->made)
		learn_from_jobs(s); /* contradictions, too */
	if (err || s->walked == s->made)
		return err;
	forget_times(s);
	s->chunk = job->chunk;
	s->job = job;
	csg_stream_counts_job(&s->counts, job);
	if (job->fresh)
		s->dated = job->start.dated;
	record_job(s, job);
	err = s->relay ? take_over(s, job) : csg_walker_begin(&s->walker, job);
	s->walking = !err;
	return err ? err : 1;
}

/* One more buffer of elements of the current job. */
static int walk_on(struct csg_stream *s)
{
	csg_flow_take(s->walker.flow);
	if (csg_walker_walk(&s->walker)) {
		s->walking = false;
		s->walked++;
	}
	if (csg_flow_timed(s->walker.flow))
		csg_flow_date(s->walker.flow, date, s);
	s->elements = csg_flow_elements(s->walker.flow, &s->count);
	s->codes = &s->walker;
	s->executions = csg_flow_executions(s->walker.flow);
	csg_stream_counts_flow(&s->counts, s->job, s->walker.flow);
	return csg_walker_failed(&s->walker) ? -CSG_E_NO_MEMORY : 0;
}

/* The same of a job that others have walked. */
static void take_block(struct csg_stream *s)
{
	s->block = csg_relay_block(s->relay);
	if (!s->block) {
		s->walking = false;
		s->walked++;
		return;
	}
	for (size_t i = 0; s->block->timed && i < s->block->n; i++)
		if (s->block->elements[i].kind == CSG_ELEMENT_TIMESTAMP)
			s->block->elements[i].start = date(s, s->block->elements[i].index);
	s->elements = s->block->elements;
	s->count = s->block->n;
	s->codes = s->walk->codes;
	s->executions = s->block->executions;
}

/*
 * Nothing comes any more: there may be tens of thousands of streams, and a decoder is large.  What
 * csg_batch.codes pointed to stays.
 */
static void retire(struct csg_stream *s)
{
	if (s->retired)
		return;
	csg_stream_figures(s, &s->figures);
	s->retired = true;
	if (s->relay)
		csg_relay_retire(s->relay);
	csg_walker_fini(&s->walker);
	csg_splitter_fini(&s->splitter);
	csg_attribution_stream_destroy(s->owners);
	s->owners = NULL;
	for (size_t i = 0; s->jobs && i < JOBS; i++)
		csg_job_fini(&s->jobs[i]);
	free(s->jobs);
	s->jobs = NULL;
}

/* The elements there are were taken, or nobody asks for them. */
static void drop_elements(struct csg_stream *s)
{
	if (s->block)
		csg_relay_give_back(s->relay);
	s->block = NULL;
	s->taken = s->count = 0;
}

int csg_stream_fill(struct csg_stream *s)
{
	drop_elements(s);
	if (s->sampled.error)
		return s->sampled.error;
	while (!s->count && !s->retired) {
		int ret = s->walking ? 1 : begin_job(s);

		if (!ret)
			retire(s);
		if (ret <= 0)
			return ret;
		ret = 0;
		if (s->relay)
			take_block(s);
		else
			ret = walk_on(s);
		if (ret)
			return ret;
		if (s->job->unwanted)
			drop_elements(s);
	}
	return !s->retired;
}

void csg_stream_choose(struct csg_stream *s, const uint8_t *chosen,
		       const struct csg_job_index *index)
{
	csg_splitter_choose(&s->splitter, chosen, index);
}

void csg_stream_record(struct csg_stream *s, struct csg_job_index_writer *writer)
{
	s->writer = writer;
}

int csg_stream_scan(struct csg_stream *s)
{
	int err = s->ended || !s->splitter.holds ? 0 : csg_splitter_release(&s->splitter, 0);

	if (!err && !s->ended)
		err = make_job(s);
	s->ended |= err == -CSG_E_UNSUPPORTED;
	if (err && err != -CSG_E_UNSUPPORTED)
		return err;
	if (s->ended) {
		retire(s);
		return 0;
	}
	s->walked = s->made - 1;
	csg_stream_counts_job(&s->counts, job_at(s, s->walked));
	forget_times(s);
	return 1;
}

/* --- handing out --- */

/* Whether something ran there that is not traced, or whose trace is lost, and nobody knows how
 * long. */
static bool is_break(const struct csg_element *e)
{
	static const bool breaks[CSG_GAP_COUNT] = {
		[CSG_GAP_TRACE_ON] = true,   [CSG_GAP_OVERFLOW] = true, [CSG_GAP_NO_SYNC] = true,
		[CSG_GAP_BAD_PACKET] = true, [CSG_GAP_BUFFER] = true,	[CSG_GAP_TRUNCATED] = true,
		[CSG_GAP_COLLISION] = true,  [CSG_GAP_PARTIAL] = true,	[CSG_GAP_UNREADABLE] = true,
		[CSG_GAP_DECODER] = true,    [CSG_GAP_GUEST] = true,	[CSG_GAP_NO_ID] = true,
	};

	return e->kind == CSG_ELEMENT_GAP && breaks[e->gap];
}

/* The sample that the trace up to here belongs to, and what contradicts it. */
static const struct csg_element *sample(struct csg_stream *s)
{
	const bool made = s->sampled.made;
	const struct csg_element *element = csg_sampled_element(&s->sampled);

	if (!made && s->sampled.conflict.text[0] && !s->sampled.error)
		s->sampled.error = csg_attribution_contradict(s->setup.registry->attribution,
							      &s->sampled.conflict);
	return element;
}

/* Of the elements from the next one on. */
static struct csg_batch batch_of(const struct csg_stream *s, const struct csg_element *elements,
				 size_t n)
{
	const uint64_t index = s->elements[s->taken].index;

	return (struct csg_batch){
		.element_size = sizeof(struct csg_element),
		.elements = elements,
		.n = n,
		.time = s->time,
		.chunk = s->chunk,
		.lookup_time = s->time ? s->time : csg_job_ran_by(s->job, index),
	};
}

bool csg_stream_peek(struct csg_stream *s, struct csg_batch *batch)
{
	const struct csg_element *elements = s->elements;
	size_t end;

	if (s->taken >= s->count)
		return false;
	if (s->time_chunk != s->chunk)
		s->time = s->since = 0;
	s->time_chunk = s->chunk;
	if (csg_sampled_ends(&s->sampled, &elements[s->taken])) {
		*batch = batch_of(s, sample(s), 1);
		return true;
	}
	if (elements[s->taken].kind == CSG_ELEMENT_TIMESTAMP) {
		s->time = elements[s->taken].start;
		s->since = s->time ? s->time : s->since;
	} else if (is_break(&elements[s->taken])) {
		s->time = 0;
	}
	end = s->taken + 1;
	while (end < s->count && elements[end].kind != CSG_ELEMENT_TIMESTAMP &&
	       !is_break(&elements[end]) && !csg_sampled_ends(&s->sampled, &elements[end]))
		end++;
	*batch = batch_of(s, elements + s->taken, end - s->taken);
	batch->codes = s->codes;
	batch->executions = s->executions;
	return true;
}

void csg_stream_take(struct csg_stream *s)
{
	struct csg_batch batch;

	if (!csg_stream_peek(s, &batch))
		return;
	if (batch.elements == &s->sampled.element) {
		csg_sampled_take(&s->sampled);
		return;
	}
	csg_sampled_see(&s->sampled, batch.elements, batch.n);
	s->taken += batch.n;
}

uint64_t csg_stream_since(const struct csg_stream *s)
{
	return s->since;
}

void csg_stream_figures(const struct csg_stream *s, struct csg_stream_figures *figures)
{
	const struct csg_flow *flow = s->walker.flow;

	if (s->retired) {
		*figures = s->figures;
		return;
	}
	*figures = (struct csg_stream_figures){
		.read_bytes = s->counts.read_bytes,
		.trace_bytes = s->counts.trace_bytes,
		.bytes_lost = s->counts.lost + s->counts.skipped,
		.nobody_accesses = s->counts.nobody_accesses,
		.el2_ran = csg_attribution_ran_at(s->owners, CSG_EL2),
		.declined = flow && csg_flow_engine(flow) != s->setup.engine,
	};
}

static int open_walker(void *arg)
{
	struct csg_stream *s = arg;
	const struct csg_walker_setup setup = {
		.registry = s->setup.registry,
		.source = s->setup.source,
		.engine = s->setup.engine,
		.no_code = s->setup.no_code,
		.host_only = s->setup.host_only,
		.counts = s->setup.counts,
		.checks_path = s->setup.checks_path,
		.sink = s->setup.sink,
	};

	int err = csg_walker_init(&s->walker, &setup);

	/* Only the fast engine's state can be handed on. */
	if (err || !s->setup.pool || csg_flow_engine(s->walker.flow) != CSG_ENGINE_FAST)
		return err;
	s->relay = calloc(1, sizeof(*s->relay));
	return s->relay ? csg_relay_init(s->relay, s->setup.pool, s->jobs, &setup)
			: -CSG_E_NO_MEMORY;
}

int csg_stream_create(struct csg_stream **result, const struct csg_stream_setup *setup)
{
	const struct csg_trace_unit unit = csg_source_unit(setup->source);
	struct csg_stream *s = calloc(1, sizeof(*s));
	struct csg_splitter_setup splitter = {.rec = setup->rec,
					      .source = setup->source,
					      .registry = setup->registry,
					      .survey = setup->survey,
					      .open = open_walker,
					      .arg = s};
	const struct csg_traced_sample *samples;
	size_t n;
	int err;

	*result = NULL;
	if (!s)
		return -CSG_E_NO_MEMORY;
	s->setup = *setup;
	samples = csg_recording_samples(setup->rec, &n);
	if (setup->samples)
		csg_sampled_init(&s->sampled, samples, n, setup->source, &setup->registry->owners);
	err = csg_attribution_stream_create(&s->owners, setup->registry->attribution, &unit);
	if (err) {
		free(s);
		return err;
	}
	if (setup->findings)
		csg_attribution_counts_findings(s->owners);
	if (!setup->no_code)
		csg_attribution_awaits_entries(s->owners);
	splitter.owners = s->owners;
	csg_splitter_init(&s->splitter, &splitter);
	*result = s;
	return 0;
}

void csg_stream_destroy(struct csg_stream *s)
{
	if (!s)
		return;
	retire(s);
	if (s->relay)
		csg_relay_fini(s->relay);
	free(s->relay);
	free(s);
}
