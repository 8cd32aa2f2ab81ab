/* SPDX-License-Identifier: BSD-3-Clause */
#include "script/samples.h"

#include <stdlib.h>

#include "csguest/error.h"
#include "lookup/stack_source.h"

#define TRCCONFIGR_TS (UINT64_C(1) << 11)
#define NO_SAMPLE UINT64_MAX

struct stream {
	struct csg_sampler *sampler;
	struct csg_batch batch;
	size_t done;	/* elements of the batch that were fed */
	uint64_t known; /* the last time of its chunk that was known; 0: none was */
	const struct csg_chunk *chunk;
	bool ended; /* its follower has pulled all of it */
	bool over;
};

struct csg_samples {
	struct csg_samples_source source;
	struct stream *streams;
	uint64_t *orders; /* of each stream's next sample; NO_SAMPLE: there is none */
	size_t n;
	size_t last;	 /* stream whose sample was handed out; n: none was */
	uint64_t before; /* the last goes on as long as its next sample's order is less */
	bool begun;
	bool chained; /* elements come through the follower */
	struct csg_follower *follower;
	struct csg_lookup lookup; /* that it asks */
};

/* Perf takes the trace's timestamps for times only where every trace unit has the virtual
 * counter (cs_etm__has_virtual_ts()). */
enum csg_sampler_clock csg_samples_clock(const struct csg_stream_info *streams, size_t n, int kind,
					 const struct csg_itrace *itrace)
{
	bool stamped = false, is_virtual = true;

	for (size_t i = 0; i < n; i++) {
		stamped |= (streams[i].source->trcconfigr & TRCCONFIGR_TS) != 0;
		is_virtual &= streams[i].source->ts_source == CSG_TS_SOURCE_VIRTUAL;
	}
	if (itrace->timeless || !stamped)
		return CSG_SAMPLER_TIMELESS;
	if (kind != CSG_RECORDING_PERF)
		return CSG_SAMPLER_RECORD;
	return is_virtual || itrace->kernel_time ? CSG_SAMPLER_TRACE : CSG_SAMPLER_RECORD;
}

static struct csg_sampler_place place_of(const struct csg_samples *samples, const struct stream *s)
{
	const struct csg_batch *b = &s->batch;
	const uint64_t record = b->chunk->time;

	return (struct csg_sampler_place){
		.when = b->lookup_time,
		.since = b->time || !record || !s->known ? b->lookup_time : s->known,
		.record = record,
		.piece = (uint64_t)(b->chunk - samples->source.chunks),
	};
}

/* A batch was pulled. */
static void note_time(struct stream *s)
{
	if (s->batch.chunk != s->chunk)
		s->known = 0;
	s->chunk = s->batch.chunk;
	if (s->batch.time)
		s->known = s->batch.time;
}

/* The stacks have taken an element: the samples that it gives have their chains now. */
static void used(void *arg, uint32_t stream, const struct csg_element *element)
{
	struct csg_samples *samples = arg;
	const struct csg_sampler_place place = place_of(samples, &samples->streams[stream]);

	csg_sampler_feed(samples->streams[stream].sampler, element, 1, &place);
}

static int next_for_stacks(void *arg, uint32_t stream, struct csg_batch *batch, size_t size)
{
	struct csg_samples *samples = arg;
	struct stream *s = &samples->streams[stream];
	int ret = samples->source.next(samples->source.arg, stream, &s->batch);

	(void)size;
	if (ret > 0) {
		note_time(s);
		*batch = s->batch;
	}
	s->ended = !ret;
	return ret;
}

/* The function at ip, in the innermost frame: a range may have gone on into the next one. */
static uint32_t label_at(struct csg_samples *samples, uint32_t stream, uint64_t ip,
			 const struct csg_sample_frame *frame)
{
	const struct csg_stack *now = csg_follower_now(samples->follower, stream);
	const struct csg_function *top = &csg_stack_top(now)->function;
	uint32_t label = 0;

	if (ip >= top->start && ip < top->end)
		return frame->label;
	csg_follower_label(samples->follower, frame->owner, ip,
			   place_of(samples, &samples->streams[stream]).when, &label);
	return label;
}

static size_t chain_of(void *arg, uint32_t stream, uint64_t ip, struct csg_sample_frame *frames,
		       size_t max)
{
	struct csg_samples *samples = arg;
	struct csg_chain_entry chain[CSG_SAMPLER_CHAIN_MAX];
	int64_t got = csg_follower_chain(samples->follower, stream, ip, samples->source.joined,
					 chain, sizeof(chain[0]),
					 max < CSG_SAMPLER_CHAIN_MAX ? max : CSG_SAMPLER_CHAIN_MAX);
	size_t n = got > 0 ? (size_t)got : 0;

	for (size_t i = 0; i < n; i++)
		frames[i] = (struct csg_sample_frame){
			.address = chain[i].address,
			.owner = chain[i].owner,
			.label = chain[i].label,
			.outermost = i + 1 == n || chain[i + 1].stack != chain[i].stack,
			.bottom = chain[i].stack->bottom,
		};
	if (n)
		frames[0].label = label_at(samples, stream, ip, &frames[0]);
	return n;
}

/* Frames of the stack that runs and of those that it hangs under. */
static uint32_t depth_of(void *arg, uint32_t stream)
{
	const struct csg_samples *samples = arg;
	const struct csg_stack *stack = csg_follower_now(samples->follower, stream);
	uint32_t depth = 0;

	for (; stack; stack = csg_stack_under(stack, samples->source.joined))
		depth += stack->depth;
	return depth;
}

static int open_follower(struct csg_samples *samples)
{
	const struct csg_follower_source source =
		csg_lookup_stack_source(&samples->lookup, samples->n);
	const struct csg_follower_options options = {
		.size = sizeof(options),
		.source = &source,
		.arg = samples,
		.next = next_for_stacks,
		.used = used,
	};

	samples->lookup = *samples->source.lookup;
	return csg_follower_create(&samples->follower, NULL, &options);
}

static int open_samplers(struct csg_samples *samples, const struct csg_sampler_setup *given)
{
	struct csg_sampler_setup setup = *given;
	int err = 0;

	samples->chained =
		setup.itrace.callchain || setup.itrace.sample_chains || samples->source.depths;
	if (samples->chained) {
		setup.unlimited = true;
		setup.chain = chain_of;
		setup.depth = samples->source.depths ? depth_of : NULL;
		setup.chain_arg = samples;
		err = open_follower(samples);
	}
	for (size_t i = 0; !err && i < samples->n; i++)
		err = csg_sampler_create(&samples->streams[i].sampler, &setup, (uint32_t)i,
					 samples->source.streams[i].source->cpu);
	return err;
}

int csg_samples_open(struct csg_samples **result, const struct csg_samples_source *source,
		     const struct csg_sampler_setup *setup)
{
	struct csg_samples *samples = calloc(1, sizeof(*samples));
	int err = 0;

	*result = samples;
	if (!samples)
		return -CSG_E_NO_MEMORY;
	samples->source = *source;
	samples->n = samples->last = source->n;
	samples->streams = calloc(samples->n + 1, sizeof(*samples->streams));
	samples->orders = calloc(samples->n + 1, sizeof(*samples->orders));
	if (!samples->streams || !samples->orders)
		err = -CSG_E_NO_MEMORY;
	if (!err)
		err = open_samplers(samples, setup);
	if (err) {
		csg_samples_close(samples);
		*result = NULL;
	}
	return err;
}

void csg_samples_close(struct csg_samples *samples)
{
	if (!samples)
		return;
	for (size_t i = 0; samples->streams && i < samples->n; i++)
		csg_sampler_destroy(samples->streams[i].sampler);
	csg_follower_destroy(samples->follower);
	free(samples->streams);
	free(samples->orders);
	free(samples);
}

static void note_order(struct csg_samples *samples, size_t i)
{
	const struct csg_sample *head =
		csg_sample_queue_head(csg_sampler_queue(samples->streams[i].sampler));

	samples->orders[i] = head ? head->order : NO_SAMPLE;
}

/* The next elements of a stream, or its end. */
static int pull(struct csg_samples *samples, size_t i)
{
	struct stream *s = &samples->streams[i];
	int ret = samples->source.next(samples->source.arg, (uint32_t)i, &s->batch);

	s->done = 0;
	if (ret > 0) {
		note_time(s);
		return 0;
	}
	s->over = true;
	csg_sampler_end(s->sampler);
	return ret;
}

static int feed(const struct csg_samples *samples, struct stream *s)
{
	const struct csg_batch *b = &s->batch;
	const struct csg_sampler_place place = place_of(samples, s);

	s->done += csg_sampler_feed(s->sampler, b->elements + s->done, b->n - s->done, &place);
	return csg_sampler_queue(s->sampler)->no_memory ? -CSG_E_NO_MEMORY : 0;
}

/* Stacks are followed some more, which gives samples of any stream. */
static int follow(struct csg_samples *samples)
{
	int ret = csg_follower_next(samples->follower);

	for (size_t i = 0; i < samples->n; i++) {
		struct stream *s = &samples->streams[i];

		if (csg_sampler_queue(s->sampler)->no_memory)
			return -CSG_E_NO_MEMORY;
		if (!s->over && (!ret || s->ended)) {
			s->over = true;
			csg_sampler_end(s->sampler);
		}
	}
	return ret < 0 ? ret : 0;
}

/* So much waits that the streams with nothing to give are not waited for. */
static bool much_waits(const struct csg_samples *samples)
{
	for (size_t i = 0; i < samples->n; i++) {
		struct csg_sample_queue *queue = csg_sampler_queue(samples->streams[i].sampler);

		if (csg_sample_queue_full(queue) && csg_sample_queue_head(queue))
			return true;
	}
	return false;
}

/* Follows stacks until stream i has a sample, or nothing needs to be waited for. */
static int advance_all(struct csg_samples *samples, size_t i)
{
	struct stream *s = &samples->streams[i];
	int err = 0;

	while (!err && !s->over && !csg_sample_queue_head(csg_sampler_queue(s->sampler)) &&
	       !much_waits(samples))
		err = follow(samples);
	for (size_t k = 0; k < samples->n; k++)
		note_order(samples, k);
	return err;
}

/* Decodes until stream i has a sample or is over. */
static int advance(struct csg_samples *samples, size_t i)
{
	struct stream *s = &samples->streams[i];
	int err = 0;

	if (samples->chained)
		return advance_all(samples, i);

	while (!err && !s->over && !csg_sample_queue_head(csg_sampler_queue(s->sampler)))
		err = s->done < s->batch.n ? feed(samples, s) : pull(samples, i);
	note_order(samples, i);
	return err;
}

/* Every stream is given up; what was made before the error is still handed out. */
static void give_up(struct csg_samples *samples)
{
	for (size_t i = 0; i < samples->n; i++) {
		struct stream *s = &samples->streams[i];

		if (!s->over)
			csg_sampler_end(s->sampler);
		s->over = true;
		note_order(samples, i);
	}
}

/* Takes what was handed out last, and sees to it that every stream has its next sample. */
static int refill(struct csg_samples *samples)
{
	size_t last = samples->last;
	int err = 0;

	samples->last = samples->n;
	if (last < samples->n) {
		csg_sample_queue_take(csg_sampler_queue(samples->streams[last].sampler));
		err = advance(samples, last);
	}
	for (size_t i = 0; !err && (samples->chained || !samples->begun) && i < samples->n; i++)
		err = advance(samples, i);
	samples->begun = true;
	if (err)
		give_up(samples);
	return err;
}

/* The stream whose next sample is the earliest; of several, the first; n: there is none. */
static size_t earliest(struct csg_samples *samples)
{
	size_t best = 0;

	samples->before = NO_SAMPLE;
	for (size_t i = 1; i < samples->n; i++) {
		size_t other = i;

		if (samples->orders[i] < samples->orders[best]) {
			other = best;
			best = i;
		}
		if (samples->orders[other] < samples->before)
			samples->before = samples->orders[other];
	}
	return samples->n && samples->orders[best] != NO_SAMPLE ? best : samples->n;
}

/* Takes what was handed out last where the same stream, whose queue this is, has the next
 * sample. */
static bool go_on(struct csg_samples *samples, struct csg_sample_queue *queue)
{
	const struct csg_sample *next = queue->samples + queue->first + 1;

	if (queue->first + 1 >= queue->ready || next->order >= samples->before)
		return false;
	csg_sample_queue_take(queue);
	return true;
}

int csg_samples_next(struct csg_samples *samples, const struct csg_sample **sample,
		     const struct csg_sample_branch **branches)
{
	struct csg_sample_queue *queue = NULL;
	int err;

	if (samples->last < samples->n && !samples->chained)
		queue = csg_sampler_queue(samples->streams[samples->last].sampler);
	if (!queue || !go_on(samples, queue)) {
		err = refill(samples);
		if (err)
			return err;
		samples->last = earliest(samples);
		if (samples->last == samples->n)
			return 0;
		queue = csg_sampler_queue(samples->streams[samples->last].sampler);
	}
	*sample = csg_sample_queue_head(queue);
	*branches = csg_sample_queue_branches(queue, *sample);
	return 1;
}

const struct csg_sample_frame *csg_samples_chain(const struct csg_samples *samples,
						 const struct csg_sample *sample)
{
	return csg_sample_queue_frames(csg_sampler_queue(samples->streams[samples->last].sampler),
				       sample);
}

const struct csg_follower *csg_samples_follower(const struct csg_samples *samples)
{
	return samples->follower;
}
