/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/perf/aux_samples.h"

#include <stdlib.h>
#include <unistd.h>

#include "recording/perf/aux.h"
#include "recording/perf/sample_overlap.h"
#include "util/array.h"
#include "util/report.h"

#define FRAME_BYTES 16
#define LOOKED_AT 16  /* samples of a queue whose frames are looked at */
#define FRAMED_MIN 64 /* bytes; of fewer it may be chance */
#define APART 16      /* bytes between samples that have none in common: some are missing */
#define ID_OF(byte) ((byte) >> 1)
#define FULL_SYNC_ID 0x7f

int csg_aux_samples_add(struct csg_aux *aux, const struct csg_aux_sample *sample)
{
	struct csg_aux_sample *new =
		csg_array_add(&aux->samples, &aux->n_samples, &aux->cap_samples, sizeof(*new));

	if (!new)
		return -CSG_E_NO_MEMORY;
	*new = *sample;
	new->order = (uint32_t)(aux->n_samples - 1);
	return 0;
}

/* By buffer, then in the order of time. */
static int by_buffer(const void *a, const void *b)
{
	const struct csg_aux_sample *x = a, *y = b;

	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	if (x->cpu == -1 && x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static bool is_of_same_buffer(const struct csg_aux_sample *a, const struct csg_aux_sample *b)
{
	return a->cpu == b->cpu && (a->cpu != -1 || a->tid == b->tid);
}

/* A sample and its bytes. */
struct taken {
	const struct csg_aux_sample *sample;
	uint8_t *bytes;
	size_t n;
	uint64_t begin; /* offset of its first byte in the queue */
	size_t area;	/* number of its area */
};

struct placing {
	struct csg_aux *aux;
	struct csg_recording *rec;
	const struct csg_trace_id_set *known;
	const char *path;
	struct taken now, before;
	uint32_t *scratch; /* of csg_sample_overlap() */
	uint32_t queue;
	bool raw;
};

static int read_sample(struct placing *p, const struct csg_aux_sample *sample)
{
	const struct csg_store_file *file = &p->rec->files[sample->file];

	if (pread(file->fd, p->now.bytes, sample->size, (off_t)sample->at) != (ssize_t)sample->size)
		return csg_report(&p->rec->sink, CSG_ERROR, CSG_E_IO, p->path, sample->record, NULL,
				  "trace of a sample cannot be read");
	p->now.sample = sample;
	p->now.n = sample->size;
	return 0;
}

/*
 * Do all IDs that the frames name belong to units of the recording?  In raw trace every other odd
 * byte would be an ID, in frames there may be none.  They are counted from the end: the front is
 * cut off at any byte.
 */
static bool is_framed(const struct taken *t, const struct csg_trace_id_set *known)
{
	for (size_t at = t->n % FRAME_BYTES; at < t->n; at += FRAME_BYTES) {
		for (size_t i = 0; i < FRAME_BYTES - 1; i += 2) {
			const uint8_t byte = t->bytes[at + i], id = ID_OF(byte);

			if ((byte & 1) && id && id != FULL_SYNC_ID &&
			    !(known->bits[id / 64] >> id % 64 & 1))
				return false;
		}
	}
	return t->n >= FRAMED_MIN;
}

/* What AUX records of that buffer say of its trace; -1: there is none. */
static int raw_by_records(const struct csg_aux *aux, const struct csg_aux_sample *of)
{
	for (size_t i = 0; i < aux->n_records; i++)
		if (of->cpu == -1 ? aux->records[i].tid == of->tid : aux->records[i].cpu == of->cpu)
			return !!(aux->records[i].flags & CSG_AUX_FORMAT_RAW);
	return -1;
}

/* Whether the n samples of a buffer hold raw trace: what most of those that are looked at look
 * like. */
static int find_framing(struct placing *p, const struct csg_aux_sample *samples, size_t n)
{
	const int said = raw_by_records(p->aux, samples);
	size_t looked = n < LOOKED_AT ? n : LOOKED_AT, framed = 0;

	p->raw = said > 0;
	if (said >= 0)
		return 0;
	for (size_t i = 0; i < looked; i++) {
		int ret = read_sample(p, &samples[i]);

		if (ret)
			return ret;
		framed += is_framed(&p->now, p->known);
	}
	p->raw = 2 * framed <= looked;
	return 0;
}

/*
 * Where in the queue the sample begins, and *from, the first of its bytes that is decoded.  Of
 * the sample before, what this one has as well is taken off.
 */
static uint64_t join(struct placing *p, size_t *from)
{
	struct csg_aux_area *last = p->before.sample ? &p->aux->areas[p->before.area] : NULL;
	const uint64_t end = p->before.begin + p->before.n;
	size_t pad = 0, async, same = 0;
	uint64_t begin;

	*from = p->raw ? 0 : p->now.n % FRAME_BYTES;
	if (!last)
		return CSG_AUX_SAMPLE_MAX; /* the next one may reach back further */
	same = csg_sample_overlap(p->before.bytes, p->before.n, p->now.bytes, p->now.n,
				  p->raw ? 7 : 0, p->scratch, &pad);
	if (!same)
		return end + APART;
	begin = end - pad - same;
	p->rec->samples[p->rec->n_samples - 1].end -= pad;
	async = csg_sample_last_async(p->now.bytes + *from, same > *from ? same - *from : 0,
				      p->raw);
	if (async != SIZE_MAX && begin + *from + async >= last->offset)
		*from += async;
	else
		*from = same;
	if (begin + *from < last->offset + last->size)
		last->size = begin + *from - last->offset;
	return begin;
}

/* The area is not in the order of the file, which csg_aux_add_area() takes it for; nor need it
 * be. */
static int add_area(struct placing *p, size_t from)
{
	const struct csg_aux_sample *s = p->now.sample;
	const struct csg_aux_area area = {
		.queue = p->queue,
		.cpu = s->cpu,
		.tid = s->cpu == -1 ? s->tid : -1,
		.offset = p->now.begin + from,
		.size = p->now.n - from,
		.file = s->file,
		.at = s->at + from,
		.record = s->record,
	};

	p->now.area = p->aux->n_areas;
	return csg_aux_add_area(p->aux, &area);
}

/* Where its trace ends, for who asks for samples. */
static int add_sample(const struct placing *p)
{
	const struct csg_aux_sample *s = p->now.sample;
	struct csg_traced_sample *new = CSG_STORE_ADD(p->rec, samples);

	if (!new)
		return -CSG_E_NO_MEMORY;
	*new = (struct csg_traced_sample){
		.size = sizeof(*new),
		.time = s->time,
		.ip = s->ip,
		.end = p->now.begin + p->now.n,
		.queue = p->queue,
		.event = s->event,
		.cpu = s->cpu,
		.pid = s->pid,
		.tid = s->tid,
		.cpumode = s->cpumode,
	};
	return 0;
}

static int place_one(struct placing *p, const struct csg_aux_sample *sample)
{
	size_t from;
	int ret = read_sample(p, sample);
	struct taken spare = p->before;

	if (ret)
		return ret;
	p->now.begin = join(p, &from);
	ret = add_area(p, from);
	if (!ret)
		ret = add_sample(p);
	p->before = p->now;
	p->now = spare;
	return ret;
}

/* What is decoded of each sample is a record, also where it has no bytes of its own any more. */
static int add_records(struct placing *p, const struct csg_aux_sample *samples, size_t first)
{
	for (size_t i = first; i < p->aux->n_areas; i++) {
		const struct csg_aux_area *area = &p->aux->areas[i];
		const struct csg_aux_sample *s = &samples[i - first];
		const struct csg_aux_record record = {
			.offset = area->offset,
			.size = area->size,
			.flags = CSG_AUX_SAMPLE | (p->raw ? CSG_AUX_FORMAT_RAW : 0),
			.time = s->time,
			.cpu = s->cpu,
			.pid = s->pid,
			.tid = s->tid,
			.record = s->record,
		};
		int ret = csg_aux_add_record(p->aux, &record);

		if (ret)
			return ret;
	}
	return 0;
}

/* The n samples of one buffer. */
static int place_buffer(struct placing *p, const struct csg_aux_sample *samples, size_t n)
{
	const size_t first = p->aux->n_areas;
	int ret = find_framing(p, samples, n);

	p->queue = samples->cpu >= 0 ? (uint32_t)samples->cpu : (uint32_t)samples->tid;
	p->before.sample = NULL;
	for (size_t i = 0; i < n && !ret; i++)
		ret = place_one(p, &samples[i]);
	return ret ? ret : add_records(p, samples, first);
}

static int place_all(struct placing *p)
{
	struct csg_aux *aux = p->aux;
	size_t n;

	for (size_t i = 0; i < aux->n_samples; i += n) {
		int ret;

		for (n = 1; i + n < aux->n_samples &&
			    is_of_same_buffer(&aux->samples[i], &aux->samples[i + n]);)
			n++;
		ret = place_buffer(p, &aux->samples[i], n);
		if (ret)
			return ret;
	}
	return 0;
}

/* What AUX records say of bytes that the samples hold, if they do, nobody can find. */
static void drop_records(struct csg_aux *aux, size_t n)
{
	for (size_t i = n; i < aux->n_records; i++)
		aux->records[i - n] = aux->records[i];
	aux->n_records -= n;
}

int csg_aux_samples_place(struct csg_aux *aux, struct csg_recording *rec,
			  const struct csg_trace_id_set *known, const char *path)
{
	struct placing p = {.aux = aux, .rec = rec, .known = known, .path = path};
	const size_t records = aux->n_records;
	int ret;

	if (!aux->n_samples || aux->n_areas)
		return 0;
	qsort(aux->samples, aux->n_samples, sizeof(*aux->samples), by_buffer);
	p.now.bytes = malloc(CSG_AUX_SAMPLE_MAX);
	p.before.bytes = malloc(CSG_AUX_SAMPLE_MAX);
	p.scratch = malloc(CSG_AUX_SAMPLE_MAX * sizeof(*p.scratch));
	ret = p.now.bytes && p.before.bytes && p.scratch ? place_all(&p) : -CSG_E_NO_MEMORY;
	if (!ret)
		drop_records(aux, records);
	free(p.now.bytes);
	free(p.before.bytes);
	free(p.scratch);
	return ret;
}
