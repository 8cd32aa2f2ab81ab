/* SPDX-License-Identifier: BSD-3-Clause */
/* The perf.data whose trace becomes that of the windows. */
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recording/perf/aux_records.h"
#include "recording/perf/perf_attr.h"
#include "recording/perf/perf_records.h"
#include "util/bytes.h"
#include "windows/windows.h"

/* struct perf_file_header, and the index of the AUX area. */
#define DATA_OFFSET 40
#define ATTRS 24
#define AUX_ACTION 116 /* of struct perf_event_attr */
#define FEATURES 72
#define FEATURE_AUXTRACE 18

/* Of perf's metadata: the unit as it is programmed now, and whether these are snapshots. */
static void put_registers(uint8_t *record, const struct cut *cuts, size_t n)
{
	const uint64_t snapshots = htole64(n && cuts->options->ring && !cuts->options->samples);

	uint8_t *word = record + 8 + 8 + 24, *end = record + csg_le16(record + 6);

	memcpy(record + 8 + 8 + 16, &snapshots, 8);
	while (word + 24 <= end) {
		struct csg_enc_registers r;
		uint64_t cpu = csg_le64(word + 8), count = csg_le64(word + 16);

		for (size_t i = 0; i < n; i++) {
			if ((uint64_t)cuts[i].source->cpu != cpu)
				continue;
			csg_enc_model_registers(&cuts[i].etm.model, &r);
			memcpy(word + 24, &(uint64_t){htole64(r.configr)}, 8);
		}
		word += 24 + 8 * count;
	}
}

struct rewrite {
	struct csg_enc_bytes out;
	const struct truth *truth;
	const uint8_t *file;
	bool failed;
	struct cut *cuts;
	size_t n, next[CPUS];	  /* of each the next AUX record */
	uint64_t begun[CPUS];	  /* where it begins */
	const uint8_t *aux[CPUS]; /* the record that there was */
	uint64_t index[CPUS][2];
	size_t index_n;
};

static const struct cut *cut_of(const struct rewrite *w, uint32_t cpu, size_t *at)
{
	for (*at = 0; *at < w->n; ++*at)
		if ((uint32_t)w->cuts[*at].source->cpu == cpu)
			return &w->cuts[*at];
	return NULL;
}

/* AUX records up to that time; the window's end is when they are written. */
static void put_aux(struct rewrite *w, size_t i, uint64_t until)
{
	const struct cut *c = &w->cuts[i];

	if (c->options->ring)
		return;
	for (; w->next[i] < c->aux_n && c->aux[w->next[i]].time <= until; w->next[i]++) {
		const struct aux *aux = &c->aux[w->next[i]];
		uint16_t size = csg_le16(w->aux[i] + 6);
		size_t at = w->out.size;

		if (aux->end == w->begun[i])
			continue;
		csg_enc_bytes_put(&w->out, w->aux[i], size);
		csg_enc_bytes_set_u64(&w->out, at + 8, w->begun[i]);
		csg_enc_bytes_set_u64(&w->out, at + 16, aux->end - w->begun[i]);
		csg_enc_bytes_set_u64(&w->out, at + size - 24, aux->time);
		w->begun[i] = aux->end;
	}
}

#define FRAME 16

/* The last bytes up to there: an AUX record in overwrite mode, whose offset is the end, and the
 * ring. */
static void put_snapshot(struct rewrite *w, size_t i, const uint8_t *record, const struct aux *aux)
{
	const struct cut *c = &w->cuts[i];
	const uint16_t aux_size = csg_le16(w->aux[i] + 6);
	const uint64_t ring = c->options->ring;
	const uint64_t begin = aux->end > ring ? (aux->end - ring + FRAME - 1) / FRAME * FRAME : 0;
	const uint64_t size = (aux->end - begin + 7) & ~UINT64_C(7);
	size_t at = w->out.size;

	csg_enc_bytes_put(&w->out, w->aux[i], aux_size);
	csg_enc_bytes_set_u64(&w->out, at + 8, aux->end);
	csg_enc_bytes_set_u64(&w->out, at + 16, ring);
	csg_enc_bytes_set_u64(&w->out, at + 24, csg_le64(w->aux[i] + 24) | CSG_AUX_OVERWRITE);
	csg_enc_bytes_set_u64(&w->out, at + aux_size - 24, aux->time);
	at = w->out.size;
	csg_enc_bytes_put(&w->out, record, csg_le16(record + 6));
	csg_enc_bytes_set_u64(&w->out, at + 8, size);
	csg_enc_bytes_set_u64(&w->out, at + 16, begin);
	csg_enc_bytes_put(&w->out, c->trace.data + begin, aux->end - begin);
	csg_enc_bytes_zero(&w->out, size - (aux->end - begin));
}

static void put_auxtrace(struct rewrite *w, const uint8_t *record)
{
	size_t i, at = w->out.size;
	const struct cut *c = cut_of(w, csg_le32(record + 40), &i);
	uint64_t size;

	if (!c)
		return;
	if (c->options->samples) {
		w->failed |= !windows_put_samples(&w->out, w->file, w->truth, &w->cuts[i]);
		return;
	}
	for (size_t k = 0; c->options->ring && k < c->aux_n; k++)
		put_snapshot(w, i, record, &c->aux[k]);
	if (c->options->ring)
		return;
	put_aux(w, i, UINT64_MAX);
	at = w->out.size;
	size = (c->trace.size + 7) & ~UINT64_C(7);
	w->index[w->index_n][0] = at;
	w->index[w->index_n++][1] = csg_le16(record + 6);
	csg_enc_bytes_put(&w->out, record, csg_le16(record + 6));
	csg_enc_bytes_set_u64(&w->out, at + 8, size);
	csg_enc_bytes_put(&w->out, c->trace.data, c->trace.size);
	csg_enc_bytes_zero(&w->out, size - c->trace.size);
}

/* The time of a record of the kernel's, as sample_id_all gives it: TID, TIME, CPU, IDENTIFIER. */
static uint64_t time_of(const uint8_t *record)
{
	uint32_t type = csg_le32(record);

	return type < 64 && type != CSG_PERF_RECORD_SAMPLE && csg_le16(record + 6) >= 40
		       ? csg_le64(record + csg_le16(record + 6) - 24)
		       : 0;
}

static void put_records(struct rewrite *w, uint8_t *at, const uint8_t *end)
{
	for (uint8_t *record = at; record + 8 <= end; record = at) {
		uint32_t type = csg_le32(record);
		uint64_t time = time_of(record);

		at = record + csg_le16(record + 6);
		for (size_t i = 0; i < w->n && time; i++)
			put_aux(w, i, time - 1);
		if (type == CSG_PERF_RECORD_AUXTRACE) {
			at += csg_le64(record + 8);
			put_auxtrace(w, record);
			continue;
		}
		if (type == CSG_PERF_RECORD_AUX)
			continue;
		if (type == CSG_PERF_RECORD_AUXTRACE_INFO)
			put_registers(record, w->cuts, w->n);
		csg_enc_bytes_put(&w->out, record, (size_t)(at - record));
	}
}

/* AUX records come before what they are of, so they are looked for beforehand. */
static void find_aux(struct rewrite *w, const uint8_t *record, const uint8_t *end)
{
	while (record + 8 <= end) {
		uint16_t size = csg_le16(record + 6);
		size_t i;

		if (csg_le32(record) == CSG_PERF_RECORD_AUX &&
		    cut_of(w, csg_le32(record + size - 16), &i))
			w->aux[i] = record;
		if (csg_le32(record) == CSG_PERF_RECORD_AUXTRACE)
			record += csg_le64(record + 8);
		record += size;
	}
}

/* Feature sections lie after the data; one holds where the AUXTRACE records are. */
static void put_features(struct rewrite *w, const uint8_t *file, size_t n, uint64_t from,
			 uint64_t moved)
{
	size_t table = w->out.size, entry = table, at;

	csg_enc_bytes_put(&w->out, file + from, n - from);
	for (unsigned int bit = 0; bit < 256; bit++) {
		if (!(file[FEATURES + bit / 8] >> bit % 8 & 1))
			continue;
		at = csg_le64(w->out.data + entry) + moved;
		csg_enc_bytes_set_u64(&w->out, entry, at);
		if (bit == FEATURE_AUXTRACE && w->n && w->cuts->options->samples)
			csg_enc_bytes_set_u64(&w->out, at, 0);
		for (size_t i = 0; bit == FEATURE_AUXTRACE && i < w->index_n; i++) {
			csg_enc_bytes_set_u64(&w->out, at + 8 + 16 * i, w->index[i][0]);
			csg_enc_bytes_set_u64(&w->out, at + 16 + 16 * i, w->index[i][1]);
		}
		entry += 16;
	}
}

/* Of the first event: it pauses and resumes the trace, as cycles/aux-action=.../ do. */
static void mark_paused(uint8_t *file)
{
	uint8_t *attr = file + csg_le64(file + ATTRS);

	attr[AUX_ACTION] |= CSG_ATTR_AUX_PAUSE | CSG_ATTR_AUX_RESUME;
}

bool windows_rewrite(const char *dir, const struct truth *truth, struct cut *cuts, size_t n)
{
	struct rewrite w = {.cuts = cuts, .n = n, .truth = truth};
	char path[4096];
	uint64_t data, size;
	uint8_t *file;
	long length;
	FILE *f;

	snprintf(path, sizeof(path), "%s/data", dir);
	f = fopen(path, "r");
	if (!f || fseek(f, 0, SEEK_END) || (length = ftell(f)) < 104)
		return false;
	rewind(f);
	file = malloc((size_t)length);
	if (!file || fread(file, 1, (size_t)length, f) != (size_t)length)
		return false;
	fclose(f);
	w.file = file;
	if (n && cuts->options->samples)
		windows_mark_samples(file);
	if (n && cuts->options->paused)
		mark_paused(file);
	data = csg_le64(file + DATA_OFFSET);
	size = csg_le64(file + DATA_OFFSET + 8);
	find_aux(&w, file + data, file + data + size);
	csg_enc_bytes_put(&w.out, file, data);
	put_records(&w, file + data, file + data + size);
	csg_enc_bytes_set_u64(&w.out, DATA_OFFSET + 8, w.out.size - data);
	put_features(&w, file, (size_t)length, data + size, w.out.size - data - size);
	free(file);
	if (w.failed || csg_enc_bytes_save(&w.out, path))
		return false;
	csg_enc_bytes_fini(&w.out);
	return true;
}
