/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/run/walker.h"
#include "image/space.h"

#include "csguest/error.h"

/* --- what the flow asks for --- */

/* The flow knows by which ERET it came to el, where owner is in force. */
static void on_entry(void *arg, uint64_t index, uint64_t eret, enum csg_el el, uint32_t owner)
{
	struct csg_walker *w = arg;
	const struct csg_job_time *time = csg_job_time_at(w->job, index);
	const struct csg_job_entry entry = {
		.eret = eret,
		.index = index,
		.time = time ? time->time : w->job->chunk->begin_time,
		.n = 1,
		.owner = owner,
		.el = (uint8_t)el,
	};

	w->failed |= csg_job_add_entry(w->job, &entry) != 0;
}

/*
 * Nothing is there at this time.  Where several walk, a job may be walked twice, and what is
 * missing is to count once.
 */
static void tell_missing(struct csg_walker *w, struct csg_space *space, uint64_t address,
			 uint64_t time)
{
	const struct csg_job_miss miss = {.space = space, .address = address, .time = time};
	const uint8_t *bytes;
	size_t len;

	if (w->job->unwanted)
		return;
	if (w->crowded)
		csg_job_add_miss(w->job, &miss);
	else
		csg_space_code(space, address, time, &bytes, &len, NULL);
}

/* Code that is not asked for. */
static bool is_left_out(const struct csg_walker *w, uint32_t owner)
{
	return w->setup.no_code ||
	       (w->setup.host_only && !csg_registry_is_host_kernel(w->setup.registry, owner));
}

static const struct csg_walker_code *code_of(struct csg_walker *w, uint32_t owner)
{
	struct csg_walker_code *code = &w->code;

	if (code->known && code->owner == owner)
		return code;
	*code = (struct csg_walker_code){.known = true, .owner = owner};
	code->refused = is_left_out(w, owner);
	if (!code->refused)
		code->space = csg_registry_space(w->setup.registry, owner);
	code->refused |= !code->space && !csg_registry_knows(w->setup.registry, owner);
	return code;
}

static int read_code(void *arg, uint32_t owner, uint64_t address, const uint8_t **bytes,
		     size_t *len)
{
	struct csg_walker *w = arg;
	const struct csg_walker_code *code = code_of(w, owner);
	struct csg_space *space = code->space;
	const struct csg_code_clock clock = {w->job->chunk, w->first_stamp, w->code_times};
	const uint64_t by_chunk = w->job->chunk->time;
	struct csg_code_times times;
	uint64_t until = UINT64_MAX;
	int err;

	if (code->refused)
		return -CSG_E_DECODE;
	if (!space)
		return -CSG_E_NO_IMAGE;
	err = csg_space_peek(space, address, csg_code_lookup_time(&clock), bytes, len, &until);
	w->failed |= err == -CSG_E_NO_MEMORY;
	times = csg_code_times_in(&clock, space);
	if (!err && (times.from != w->code_times.from || times.to != w->code_times.from)) {
		w->code_by_chunk |= times.from != w->code_times.from;
		if (until < w->code_until)
			w->code_until = until;
		return csg_code_steady(space, address, &times, *bytes, len);
	}
	/*
	 * Nothing was there then, but it ran: later, as after an exec.  Where times do not compare
	 * exactly, at any time of the chunk.  Where records were lost, nobody knows.
	 */
	if (err && by_chunk && !csg_space_is_lossy(space)) {
		err = csg_space_peek(space, address,
				     csg_code_is_dated(&clock, space) ? times.to : by_chunk, bytes,
				     len, NULL);
		w->code_by_chunk |= !err;
	}
	if (until < w->code_until)
		w->code_until = until;
	if (!err)
		return 0;
	tell_missing(w, space, address, w->code_times.from);
	if (by_chunk)
		tell_missing(w, space, address, by_chunk);
	return -CSG_E_NO_IMAGE;
}

/* Whose code it is; images are everything but the time (follow_time()). */
static uint64_t code_space(void *arg, uint32_t owner)
{
	return (uintptr_t)code_of(arg, owner)->space;
}

static uint64_t next_async(void *arg, uint64_t index)
{
	return csg_job_async_at(((struct csg_walker *)arg)->job, index);
}

/* --- time --- */

/* The times for images: of the trace, else of its AUX record, else the latest. */
static struct csg_code_times image_times(const struct csg_walker *w,
					 const struct csg_job_time *time)
{
	const uint64_t end = csg_code_end(w->job->chunk);

	if (!time || !time->time)
		return (struct csg_code_times){end, end};
	return (struct csg_code_times){time->time, time->latest ? time->latest : end};
}

/* Code that was read may be another one in this chunk, or at these times: decoders have cached
 * it. */
static void set_code_times(struct csg_walker *w, struct csg_code_times times)
{
	const struct csg_code_times before = w->code_times;
	bool same = times.from == before.from && times.to == before.to;
	bool other_time = !same && (times.to >= w->code_until || times.from < before.from);
	bool other_chunk = w->job->chunk != w->code_chunk;

	w->code_times = times;
	w->code_chunk = w->job->chunk;
	if (!other_time && !(other_chunk && w->code_by_chunk))
		return;
	csg_flow_forget_code(w->flow);
	w->code_until = UINT64_MAX;
	w->code_by_chunk = false;
}

/*
 * Images are as they were from this timestamp on, up to the next: something else may have been
 * mapped in between.  NULL: where the next one is, or what it says, is not known yet, as in a job
 * that ends where the next owner is held back; what follows ran before its chunk ended.
 */
static void pass_time(struct csg_walker *w, uint64_t index, const struct csg_job_time *next)
{
	struct csg_code_times times = image_times(w, csg_job_time_at(w->job, index));
	const uint64_t to = image_times(w, next).to;

	if (to > times.to)
		times.to = to;
	set_code_times(w, times);
}

/*
 * A unit that does not speculate has sent what ran before a timestamp when that comes, so its
 * packet counts (feed()): the element waits for the next packet that executes something, which then
 * would be walked as of the timestamp before.  Of a unit that does, the element counts, and what is
 * walked with the next.
 */
static bool packets_count(const struct csg_walker *w)
{
	return !(uint32_t)w->setup.source->trcidr8;
}

static void follow_time(void *arg, uint64_t index)
{
	struct csg_walker *w = arg;
	const struct csg_job_time *next, *after;

	if (packets_count(w))
		return;
	next = csg_job_time_after(w->job, index);
	after = next ? csg_job_time_after(w->job, next->index) : NULL;
	pass_time(w, index, after);
}

/* Images are as they were at some time between the timestamps on both sides of this place. */
static void follow_break(void *arg, uint64_t index)
{
	struct csg_walker *w = arg;
	const struct csg_chunk *chunk = w->job->chunk;
	const uint64_t to = image_times(w, csg_job_time_after(w->job, index)).to;
	const uint64_t from = w->code_times.from;

	/* The element is late: a timestamp after it counts already, maybe that of the time at which
	 * the chunk begins. */
	if (to <= from && from >= chunk->begin_time && from < chunk->time)
		return;
	set_code_times(w, (struct csg_code_times){w->code_times.from, to});
}

/* --- steps --- */

static void add_gap(struct csg_walker *w, const struct csg_job_step *step)
{
	const struct csg_element element = {
		.index = step->index,
		.kind = CSG_ELEMENT_GAP,
		.gap = step->gap,
		.el = CSG_EL_UNKNOWN,
		.info = step->n,
	};

	csg_flow_add(w->flow, &element);
}

/* How many bytes of the run come before the next timestamp; one that is at its beginning counts
 * now. */
static size_t up_to_time(struct csg_walker *w, const struct csg_run *run)
{
	const struct csg_job_time *at, *next;

	if (!packets_count(w))
		return run->n;
	at = csg_job_time_at(w->job, run->index);
	next = csg_job_time_after(w->job, run->index);
	if (at && at->index == run->index)
		pass_time(w, run->index, next);
	return next ? csg_run_before(run, next->index) : run->n;
}

/* False: the buffer is full. */
static bool feed(struct csg_walker *w, const struct csg_job_step *step)
{
	const struct csg_run run = csg_job_run(step, w->job->bytes.at);

	while (w->done < run.n) {
		const struct csg_run rest = csg_run_part(&run, w->done, run.n - w->done);
		const size_t n = up_to_time(w, &rest);
		const struct csg_run part = csg_run_part(&rest, 0, n);
		const size_t fed = csg_flow_feed(w->flow, &part);

		w->done += fed;
		if (fed < n)
			return false;
	}
	w->done = 0;
	return true;
}

/* False: the buffer is full. */
static bool take_step(struct csg_walker *w, const struct csg_job_step *step)
{
	switch (step->kind) {
	case CSG_JOB_RUN:
		return feed(w, step);
	case CSG_JOB_END:
		return csg_flow_end(w->flow, step->index);
	case CSG_JOB_RESTART:
		csg_flow_restart(w->flow, step->index);
		return true;
	default:
		add_gap(w, step);
		return true;
	}
}

/* Where the next owner depends on how the job ends, all of it must have been decoded by then. */
static bool finish(struct csg_walker *w)
{
	if (!w->job->hold)
		return true;
	if (!csg_flow_drain(w->flow, w->job->end))
		return false;
	w->job->eret = csg_flow_eret(w->flow);
	return true;
}

bool csg_walker_walk(struct csg_walker *w)
{
	for (; w->step < w->job->steps.n; w->step++)
		if (!take_step(w, &w->job->steps.at[w->step]))
			return false;
	return finish(w);
}

bool csg_walker_failed(const struct csg_walker *w)
{
	return w->failed || csg_flow_failed(w->flow);
}

/* The job goes on where these times were in force: in another chunk, up to its first timestamp. */
static struct csg_code_times times_on(const struct csg_walker *w, struct csg_code_times times)
{
	const struct csg_job *job = w->job;
	const uint64_t to = image_times(w, csg_job_time_after(job, job->chunk->position)).to;

	if (job->first && to > times.to)
		times.to = to;
	return times;
}

static int pass_segments(struct csg_walker *w, const struct csg_job_segment *segments, size_t n)
{
	int err = 0;

	for (size_t i = 0; !err && i < n; i++) {
		const struct csg_job_segment *s = &segments[i];

		if (s->gap)
			err = csg_flow_gap(w->flow, s->index, (enum csg_gap)s->gap, s->lost,
					   s->reset);
		else if (s->at_time)
			err = csg_flow_segment_at_time(w->flow, s->index, s->owner);
		else if (s->guest_ran)
			err = csg_flow_segment_of_guest(w->flow, s->index, s->owner);
		else
			err = csg_flow_segment(w->flow, s->index, s->at_context, s->owner);
	}
	return err;
}

int csg_walker_begin(struct csg_walker *w, struct csg_job *job)
{
	w->job = job;
	w->first_stamp = csg_code_first_stamp(job);
	w->step = w->done = 0;
	if (job->fresh) {
		csg_flow_restart(w->flow, job->chunk->position);
		csg_flow_drop_segments(w->flow);
	}
	set_code_times(w, job->fresh ? image_times(w, NULL) : times_on(w, w->code_times));
	return pass_segments(w, job->segments.at, job->segments.n);
}

int csg_walker_resume(struct csg_walker *w, struct csg_job *job, const struct csg_flow_state *state,
		      const struct csg_code_times *times)
{
	int err = csg_flow_load(w->flow, state);

	w->job = job;
	w->first_stamp = 0;
	set_code_times(w, times_on(w, *times));
	return err;
}

/* What comes out of the overlap is the job's before. */
static void pass_overlap(struct csg_walker *w, const struct csg_job_step *step)
{
	const struct csg_run run = csg_job_run(step, w->job->guess.bytes.at);

	for (size_t done = 0; done < run.n;) {
		const struct csg_run rest = csg_run_part(&run, done, run.n - done);

		done += csg_flow_feed(w->flow, &rest);
		csg_flow_take(w->flow);
	}
}

int csg_walker_guess(struct csg_walker *w, struct csg_job *job)
{
	int err;

	w->job = job;
	w->first_stamp = 0;
	csg_flow_take(w->flow);
	csg_flow_guess(w->flow, job->guess.index, job->guess.owner);
	set_code_times(w, image_times(w, &job->guess.time));
	err = pass_segments(w, job->guess.segments.at, job->guess.segments.n);
	for (size_t i = 0; !err && i < job->guess.steps.n; i++)
		pass_overlap(w, &job->guess.steps.at[i]);
	csg_job_forget_walk(job);
	return err;
}

/* --- life --- */

int csg_walker_init(struct csg_walker *w, const struct csg_walker_setup *setup)
{
	const struct csg_flow_code code = {
		.arg = w,
		.read = read_code,
		.entered = on_entry,
		.async = next_async,
		.space = code_space,
		.time = follow_time,
		.resumed = follow_break,
		.exact = true,
		.checks_path = setup->checks_path,
	};
	int err;

	*w = (struct csg_walker){.setup = *setup, .code_until = UINT64_MAX};
	err = csg_flow_create(&w->flow, setup->engine, setup->source, &code, setup->sink);
	if (!err && setup->counts)
		csg_flow_set_counts(w->flow);
	return err;
}

void csg_walker_fini(struct csg_walker *w)
{
	csg_flow_destroy(w->flow);
	w->flow = NULL;
}
