/* SPDX-License-Identifier: BSD-3-Clause */
/* The file around the records: header, attrs, feature sections; or the stream of pipe mode. */
#include <string.h>

#include "encoder/perf_writer.h"
#include "encoder/tracing_data.h"

enum {
	FEATURE_TRACING_DATA = 1,
	FEATURE_BUILD_ID,
	FEATURE_HOSTNAME,
	FEATURE_OSRELEASE,
	FEATURE_VERSION,
	FEATURE_ARCH,
	FEATURE_NRCPUS,
	FEATURE_CMDLINE = 11,
	FEATURE_EVENT_DESC,
	FEATURE_PMU_MAPPINGS = 16,
	FEATURE_AUXTRACE = 18,
	FEATURE_SAMPLE_TIME = 21,
	FEATURE_COMPRESSED = 27,
	FEATURES = 64,
};

#define HEADER_SIZE 104
#define RECORD_HEADER_ATTR 64
#define RECORD_HEADER_BUILD_ID 67
#define RECORD_HEADER_FEATURE 80

static void put_attr(struct csg_enc_bytes *b, const struct csg_enc_perf *p,
		     const struct csg_enc_perf_event *e)
{
	size_t at = b->size;

	csg_enc_bytes_u32(b, e->type);
	csg_enc_bytes_u32(b, p->options.attr_size);
	csg_enc_bytes_u64(b, e->config);
	csg_enc_bytes_u64(b, e->period);
	csg_enc_bytes_u64(b, CSG_ENC_PERF_SAMPLE_TYPE | (e->raw ? CSG_ENC_PERF_SAMPLE_RAW : 0));
	csg_enc_bytes_u64(b, 4); /* PERF_FORMAT_ID */
	csg_enc_bytes_u64(b, e->flags);
	csg_enc_bytes_zero(b, p->options.attr_size - (b->size - at));
}

static void put_ids(struct csg_enc_bytes *b, const struct csg_enc_perf *p,
		    const struct csg_enc_perf_event *e)
{
	for (uint32_t i = 0; i < e->id_count; i++)
		csg_enc_bytes_u64(b, p->ids[e->id_start + i].id);
}

/* perf pads its strings to 64 bytes and counts the padding. */
static void put_string(struct csg_enc_bytes *b, const char *s)
{
	uint32_t size = (uint32_t)(strlen(s) + 64) / 64 * 64;

	csg_enc_bytes_u32(b, size);
	csg_enc_bytes_put(b, s, strlen(s));
	csg_enc_bytes_zero(b, size - strlen(s));
}

static void put_build_ids(struct csg_enc_bytes *b, const struct csg_enc_perf *p)
{
	for (unsigned i = 0; i < p->build_id_count; i++) {
		const struct csg_enc_perf_build_id *id = &p->build_ids[i];
		size_t name = (strlen(id->name) + 64) / 64 * 64;

		csg_enc_bytes_u32(b, RECORD_HEADER_BUILD_ID);
		csg_enc_bytes_u16(b, (uint16_t)(id->misc | 1 << 15)); /* its size is reported */
		csg_enc_bytes_u16(b, (uint16_t)(8 + 4 + 24 + name));
		csg_enc_bytes_u32(b, id->pid);
		csg_enc_bytes_put(b, id->id, 20);
		csg_enc_bytes_u32(b, 20);
		csg_enc_bytes_put(b, id->name, strlen(id->name));
		csg_enc_bytes_zero(b, name - strlen(id->name));
	}
}

static void put_event_desc(struct csg_enc_bytes *b, const struct csg_enc_perf *p)
{
	csg_enc_bytes_u32(b, p->event_count);
	csg_enc_bytes_u32(b, p->options.attr_size);
	for (unsigned i = 0; i < p->event_count; i++) {
		const struct csg_enc_perf_event *e = &p->events[i];

		put_attr(b, p, e);
		csg_enc_bytes_u32(b, e->id_count);
		put_string(b, e->name);
		put_ids(b, p, e);
	}
}

static void put_pmus(struct csg_enc_bytes *b, const struct csg_enc_perf *p)
{
	csg_enc_bytes_u32(b, 2);
	csg_enc_bytes_u32(b, 1);
	put_string(b, "software");
	csg_enc_bytes_u32(b, p->options.pmu_type);
	put_string(b, "cs_etm");
}

/* File offsets of the AUXTRACE records, now that it is known where the data lies. */
static void put_aux_index(struct csg_enc_bytes *b, const struct csg_enc_perf *p, uint64_t data)
{
	size_t n = p->aux_index.size / 16;

	csg_enc_bytes_u64(b, n);
	for (size_t i = 0; i < n; i++) {
		uint64_t v[2];

		memcpy(v, p->aux_index.data + 16 * i, sizeof(v));
		csg_enc_bytes_u64(b, v[0] + data);
		csg_enc_bytes_u64(b, v[1]);
	}
}

/* The contents of a feature section; nothing: the file does not have it. */
static void put_feature(struct csg_enc_bytes *b, const struct csg_enc_perf *p, int feature,
			uint64_t data)
{
	const struct csg_enc_perf_options *o = &p->options;

	if (feature == FEATURE_TRACING_DATA && o->tracing_data && !o->pipe) {
		csg_enc_tracing_data(b);
	} else if (feature == FEATURE_BUILD_ID) {
		put_build_ids(b, p);
	} else if (feature == FEATURE_HOSTNAME && o->hostname) {
		put_string(b, o->hostname);
	} else if (feature == FEATURE_OSRELEASE && o->release) {
		put_string(b, o->release);
	} else if (feature == FEATURE_VERSION) {
		put_string(b, "6.12");
	} else if (feature == FEATURE_ARCH) {
		put_string(b, "aarch64");
	} else if (feature == FEATURE_NRCPUS) {
		csg_enc_bytes_u32(b, o->cpus);
		csg_enc_bytes_u32(b, o->cpus);
	} else if (feature == FEATURE_CMDLINE && o->cmdline) {
		csg_enc_bytes_u32(b, 1);
		put_string(b, o->cmdline);
	} else if (feature == FEATURE_EVENT_DESC) {
		put_event_desc(b, p);
	} else if (feature == FEATURE_PMU_MAPPINGS) {
		put_pmus(b, p);
	} else if (feature == FEATURE_AUXTRACE && p->aux_index.size) {
		put_aux_index(b, p, data);
	} else if (feature == FEATURE_SAMPLE_TIME && p->last_time) {
		csg_enc_bytes_u64(b, p->first_time);
		csg_enc_bytes_u64(b, p->last_time);
	} else if (feature == FEATURE_COMPRESSED && p->stream) {
		csg_enc_bytes_u32(b, 1);      /* version */
		csg_enc_bytes_u32(b, 1);      /* zstd */
		csg_enc_bytes_u32(b, 1);      /* level */
		csg_enc_bytes_u32(b, 2);      /* ratio */
		csg_enc_bytes_u32(b, 528384); /* mmap_len: a reader's buffer */
	}
}

static void put_sections(struct csg_enc_bytes *file, const struct csg_enc_perf *p, uint64_t data,
			 uint64_t *bitmap)
{
	struct csg_enc_bytes sections[FEATURES] = {{0}};
	unsigned count = 0;
	uint64_t at;

	for (int f = 0; f < FEATURES; f++) {
		put_feature(&sections[f], p, f, data);
		if (sections[f].size) {
			*bitmap |= UINT64_C(1) << f;
			count++;
		}
	}
	at = file->size + 16 * count;
	for (int f = 0; f < FEATURES; f++) {
		if (!sections[f].size)
			continue;
		csg_enc_bytes_u64(file, at);
		csg_enc_bytes_u64(file, sections[f].size);
		at += sections[f].size;
	}
	for (int f = 0; f < FEATURES; f++) {
		csg_enc_bytes_put(file, sections[f].data, sections[f].size);
		csg_enc_bytes_fini(&sections[f]);
	}
}

static void finish_file(struct csg_enc_perf *p, struct csg_enc_bytes *file)
{
	uint64_t attr_size = p->options.attr_size + 16;
	uint64_t attrs, ids = HEADER_SIZE, data, bitmap = 0;

	csg_enc_bytes_put(file, "PERFILE2", 8);
	csg_enc_bytes_u64(file, HEADER_SIZE);
	csg_enc_bytes_u64(file, attr_size);
	csg_enc_bytes_zero(file, HEADER_SIZE - file->size);
	for (unsigned i = 0; i < p->event_count; i++)
		put_ids(file, p, &p->events[i]);
	attrs = file->size;
	for (unsigned i = 0; i < p->event_count; i++) {
		put_attr(file, p, &p->events[i]);
		csg_enc_bytes_u64(file, ids);
		csg_enc_bytes_u64(file, 8 * (uint64_t)p->events[i].id_count);
		ids += 8 * (uint64_t)p->events[i].id_count;
	}
	data = file->size;
	csg_enc_bytes_put(file, p->data.data, p->data.size);
	put_sections(file, p, data, &bitmap);
	csg_enc_bytes_set_u64(file, 24, attrs);
	csg_enc_bytes_set_u64(file, 32, attr_size * p->event_count);
	csg_enc_bytes_set_u64(file, 40, data);
	csg_enc_bytes_set_u64(file, 48, p->data.size);
	csg_enc_bytes_set_u64(file, 72, bitmap);
}

static void put_pipe_record(struct csg_enc_bytes *file, uint32_t type,
			    const struct csg_enc_bytes *body)
{
	size_t size = (8 + body->size + 7) / 8 * 8;

	csg_enc_bytes_u32(file, type);
	csg_enc_bytes_u16(file, 0);
	csg_enc_bytes_u16(file, (uint16_t)size);
	csg_enc_bytes_put(file, body->data, body->size);
	csg_enc_bytes_zero(file, size - 8 - body->size);
}

/* In a pipe attrs and features are records that come before the others. */
static void finish_pipe(struct csg_enc_perf *p, struct csg_enc_bytes *file)
{
	csg_enc_bytes_put(file, "PERFILE2", 8);
	csg_enc_bytes_u64(file, 16);
	for (unsigned i = 0; i < p->event_count; i++) {
		struct csg_enc_bytes b = {0};

		put_attr(&b, p, &p->events[i]);
		put_ids(&b, p, &p->events[i]);
		put_pipe_record(file, RECORD_HEADER_ATTR, &b);
		csg_enc_bytes_fini(&b);
	}
	for (uint64_t f = 0; f < FEATURES; f++) {
		struct csg_enc_bytes b = {0};

		csg_enc_bytes_u64(&b, f);
		if (f != FEATURE_AUXTRACE && f != FEATURE_BUILD_ID)
			put_feature(&b, p, (int)f, 0);
		if (b.size > 8)
			put_pipe_record(file, RECORD_HEADER_FEATURE, &b);
		csg_enc_bytes_fini(&b);
	}
	csg_enc_bytes_put(file, p->data.data, p->data.size);
}

void csg_enc_perf_finish(struct csg_enc_perf *p, struct csg_enc_bytes *file)
{
	if (p->options.pipe)
		finish_pipe(p, file);
	else
		finish_file(p, file);
}
