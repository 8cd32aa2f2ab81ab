/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples that hold the trace before them, as perf record --aux-sample has them. */
#include <endian.h>
#include <string.h>

#include "recording/perf/perf_records.h"
#include "util/bytes.h"
#include "windows/windows.h"

/* struct perf_file_header: size of an attr, the section of attrs; and in an attr. */
#define ATTR_SIZE 16
#define ATTRS 24
#define SAMPLE_TYPE 24
#define AUX_SAMPLE_SIZE 112
#define AUX (1u << 20)
#define FIELDS 0x10187u /* IP, TID, TIME, CPU, PERIOD and IDENTIFIER */
#define MISC 4
#define RECORD_SIZE 6

#define FRAME 16

static uint64_t at_u64(const uint8_t *file, uint64_t at)
{
	return csg_le64(file + at);
}

void windows_mark_samples(uint8_t *file)
{
	uint8_t *attr = file + at_u64(file, ATTRS);
	const uint64_t type = htole64(csg_le64(attr + SAMPLE_TYPE) | AUX);
	const uint32_t size = htole32(16384);

	memcpy(attr + SAMPLE_TYPE, &type, sizeof(type));
	memcpy(attr + AUX_SAMPLE_SIZE, &size, sizeof(size));
}

/* Of the first event, which has an ID for each CPU, in order. */
static uint64_t event_id(const uint8_t *file, int cpu)
{
	const uint64_t ids = at_u64(file, ATTRS) + at_u64(file, ATTR_SIZE) - 16;

	return at_u64(file, at_u64(file, ids) + 8 * (uint64_t)cpu);
}

/* The front is cut off at any byte of raw trace, at any word of frames. */
static uint64_t bytes_of(const struct cut *c, const struct aux *aux)
{
	const uint64_t most = c->framed ? aux->bytes & ~7u : aux->bytes;

	return most < aux->end ? most : aux->end;
}

/* The end is filled up with zeros. */
static uint64_t padding_of(const struct cut *c, const struct aux *aux)
{
	return -bytes_of(c, aux) & 7;
}

static void put_trace(struct csg_enc_bytes *out, const struct cut *c, const struct aux *aux)
{
	const uint64_t n = bytes_of(c, aux), padding = padding_of(c, aux);

	csg_enc_bytes_u64(out, n + padding);
	csg_enc_bytes_put(out, c->trace.data + aux->end - n, n);
	csg_enc_bytes_zero(out, padding);
}

/* Bytes of the stream in the sample. */
static uint64_t sent_in(const struct cut *c, const struct aux *aux)
{
	const uint64_t end = aux->end, first = end - bytes_of(c, aux);
	uint64_t n = 0;
	bool nobodys = false;

	if (!c->framed)
		return end - first;
	for (uint64_t at = (first + FRAME - 1) / FRAME * FRAME; at < end; at++) {
		const uint8_t byte = c->trace.data[at];

		if (at % FRAME == FRAME - 1)
			continue;
		if (!(at & 1) && byte & 1)
			nobodys = !(byte >> 1) || byte == 0xff;
		else
			n += !nobodys;
	}
	return n;
}

void windows_keep_sampled(struct cut *c)
{
	uint64_t from = 0, until = 0, base = 0;
	size_t n = 0, k = 0;

	c->windows = 0;
	for (size_t i = 0; i < c->aux_n && c->aux[i].ip; i++) {
		const struct aux *aux = &c->aux[i];
		const uint64_t sent = sent_in(c, aux);

		if (!c->windows++ || aux->sent - sent > until) {
			base += c->windows > 1 ? until - from + padding_of(c, aux - 1) : 0;
			from = aux->sent - sent;
		} else {
			c->windows--;
		}
		until = aux->sent;
		while (k < c->piece_n && c->pieces[k].offset < from)
			k++;
		for (; k < c->piece_n && c->pieces[k].offset < until; k++) {
			c->pieces[n] = c->pieces[k];
			c->pieces[n].offset += base - from;
			c->pieces[n++].window = c->windows;
		}
	}
	c->piece_n = n;
}

bool windows_put_samples(struct csg_enc_bytes *out, const uint8_t *file, const struct truth *truth,
			 struct cut *c)
{
	const uint64_t id = event_id(file, c->source->cpu);

	if ((at_u64(file, at_u64(file, ATTRS) + SAMPLE_TYPE) & ~(uint64_t)AUX) != FIELDS)
		return false;
	for (size_t i = 0; i < c->aux_n; i++) {
		const uint64_t mistake = c->options->mistake;
		const struct aux *aux = &c->aux[i],
				 *says = mistake && i && i % mistake == 0 ? aux - 1 : aux;
		const struct thread *thread = &truth->threads[says->owner];
		size_t at = out->size;

		if (!aux->ip) /* the end of the whole */
			continue;
		csg_enc_bytes_u64(out, CSG_PERF_RECORD_SAMPLE);
		csg_enc_bytes_u64(out, id);
		csg_enc_bytes_u64(out, says->ip);
		csg_enc_bytes_u64(out,
				  (uint32_t)thread->pid | (uint64_t)(uint32_t)thread->tid << 32);
		csg_enc_bytes_u64(out, aux->time);
		csg_enc_bytes_u64(out, (uint32_t)c->source->cpu);
		csg_enc_bytes_u64(out, 1);
		put_trace(out, c, aux);
		csg_enc_bytes_set_u16(out, at + MISC, thread->mode);
		csg_enc_bytes_set_u16(out, at + RECORD_SIZE, (uint16_t)(out->size - at));
	}
	return true;
}
