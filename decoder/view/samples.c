/* SPDX-License-Identifier: BSD-3-Clause */
#include "view/samples.h"

#include <stdlib.h>

#include "csguest/error.h"

#define TRCCONFIGR_TS (UINT64_C(1) << 11)
#define LATEST UINT64_MAX /* images and threads as they were last */
#define NO_SAMPLE UINT64_MAX

struct stream {
	struct csg_sampler *sampler;
	struct csg_batch batch;
	size_t done; /* elements of the batch that were fed */
	bool over;
};

struct csg_samples {
	struct csg_samples_source source;
	struct stream *streams;
	uint64_t *orders; /* of each stream's next sample; NO_SAMPLE: there is none */
	size_t n;
	size_t last; /* stream whose sample was handed out; n: none was */
	bool begun;
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
	for (size_t i = 0; !err && i < samples->n; i++)
		err = csg_sampler_create(&samples->streams[i].sampler, setup,
					 source->streams[i].source->cpu);
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
	if (ret > 0)
		return 0;
	s->over = true;
	csg_sampler_end(s->sampler);
	return ret;
}

static int feed(const struct csg_samples *samples, struct stream *s)
{
	const struct csg_batch *b = &s->batch;
	uint64_t record = b->chunk->time;
	const struct csg_sampler_place place = {
		.when = b->time	 ? b->time
			: record ? record
				 : LATEST,
		.record = record,
		.piece = (uint64_t)(b->chunk - samples->source.chunks),
	};

	s->done += csg_sampler_feed(s->sampler, b->elements + s->done, b->n - s->done, &place);
	return csg_sampler_queue(s->sampler)->no_memory ? -CSG_E_NO_MEMORY : 0;
}

/* Decodes until stream i has a sample or is over. */
static int advance(struct csg_samples *samples, size_t i)
{
	struct stream *s = &samples->streams[i];
	int err = 0;

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
	for (size_t i = 0; !err && !samples->begun && i < samples->n; i++)
		err = advance(samples, i);
	samples->begun = true;
	if (err)
		give_up(samples);
	return err;
}

/* The stream whose next sample is the earliest; of several, the first; n: there is none. */
static size_t earliest(const struct csg_samples *samples)
{
	size_t best = 0;

	for (size_t i = 1; i < samples->n; i++)
		if (samples->orders[i] < samples->orders[best])
			best = i;
	return samples->n && samples->orders[best] != NO_SAMPLE ? best : samples->n;
}

int csg_samples_next(struct csg_samples *samples, const struct csg_sample **sample,
		     const struct csg_sample_branch **branches)
{
	struct csg_sample_queue *queue;
	int err = refill(samples);

	if (err)
		return err;
	samples->last = earliest(samples);
	if (samples->last == samples->n)
		return 0;
	queue = csg_sampler_queue(samples->streams[samples->last].sampler);
	*sample = csg_sample_queue_head(queue);
	*branches = csg_sample_queue_branches(queue, *sample);
	return 1;
}
