// SPDX-License-Identifier: BSD-3-Clause
#include "hostfile.h"

#include <linux/perf_event.h>

#include "encoder/bytes.h"
#include "encoder/frame.h"
#include "util.h"

/* perf's own record types, tools/lib/perf/include/perf/event.h, and feature bits, util/header.h. */
enum {
	RECORD_ID_INDEX = 69,
	RECORD_AUXTRACE_INFO = 70,
	RECORD_AUXTRACE = 71,
	RECORD_TIME_CONV = 79
};
enum { FEATURE_EVENT_DESC = 12, FEATURE_PMU_MAPPINGS = 16, FEATURE_AUXTRACE = 18, FEATURES = 256 };

/* The file's header, as in sideband.c. */
enum { AT_ATTR_SIZE = 16, AT_ATTRS = 24, AT_DATA = 40, AT_FEATURES = 72, HEADER_SIZE = 104 };

enum { AUXTRACE_CS_ETM = 3 };
#define SAMPLE_TYPE                                                                                \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |                   \
	 PERF_SAMPLE_IDENTIFIER)

/* cs_etm's format/ folder: where the config bits are. */
enum {
	CONFIG_CONTEXTID1 = 14,
	CONFIG_CONTEXTID2 = 15,
	CONFIG_TIMESTAMP = 28,
	CONFIG_RETSTACK = 29
};

struct hostfile {
	const struct composer *c;
	const struct sideband *sb;
	unsigned cpus;
	uint32_t pmu;
	uint64_t first_id;
	struct csg_enc_bytes out;
	struct csg_enc_bytes trace[RAW_MAX_CPUS]; /* the AUX area of a CPU */
	uint64_t index[RAW_MAX_CPUS][2];	  /* offset, size of its AUXTRACE */
};

/* ---- what is asked of the rest of the recording ---- */

static uint32_t free_pmu_type(const struct sideband *sb)
{
	uint64_t at, size;
	uint32_t highest = 9;

	if (sb_feature(sb, FEATURE_PMU_MAPPINGS, &at, &size) && size >= 4) {
		const uint8_t *p = sb->file + at + 4, *end = sb->file + at + size;

		for (uint32_t n = get32(p - 4); n && end - p >= 8; n--) {
			if (get32(p) > highest)
				highest = get32(p);
			p += 8 + get32(p + 4);
		}
	}
	return highest + 1;
}

static uint64_t highest_id(const struct sideband *sb)
{
	uint64_t highest = 0;

	for (unsigned i = 0; i < sb->attrs; i++)
		for (unsigned k = 0; k < sb->attr[i].n_ids; k++)
			if (get64(sb->attr[i].ids + 8 * (size_t)k) > highest)
				highest = get64(sb->attr[i].ids + 8 * (size_t)k);
	return highest;
}

static const struct csg_enc_model *model_of(const struct hostfile *h, unsigned cpu)
{
	return &h->c->stream[cpu].etm.model;
}

static void put_attr(const struct hostfile *h, struct csg_enc_bytes *b)
{
	struct perf_event_attr attr = {0};
	const struct csg_enc_model *m = model_of(h, 0);
	size_t at = b->size;

	attr.type = h->pmu;
	attr.size = h->sb->attr_size; /* perf reads this many bytes; unknown ones are zero */
	attr.config = (uint64_t)m->context_id << CONFIG_CONTEXTID1 |
		      (uint64_t)(m->virt == CSG_ENC_VIRTUAL_CONTEXTIDR2) << CONFIG_CONTEXTID2 |
		      (uint64_t)(m->clock != CSG_ENC_CLOCK_NONE) << CONFIG_TIMESTAMP |
		      (uint64_t)m->return_stack << CONFIG_RETSTACK;
	attr.sample_period = 1;
	attr.sample_type = SAMPLE_TYPE;
	attr.read_format = PERF_FORMAT_ID | PERF_FORMAT_LOST;
	attr.disabled = 1;
	attr.inherit = 1;
	attr.sample_id_all = 1;
	attr.exclude_user = m->exclude_el & 1;
	attr.exclude_kernel = attr.exclude_hv = h->c->user_only;
	attr.exclude_guest = m->exclude_guest;
	attr.exclude_host = m->exclude_host;
	csg_enc_bytes_put(b, &attr, attr.size < sizeof(attr) ? attr.size : sizeof(attr));
	csg_enc_bytes_zero(b, h->sb->attr_size - (b->size - at));
}

/* ---- records ---- */

/* The kernel writes the records of the trace: in the host's thread, also while a guest runs, and
   also where what that executes is not traced. */
struct thread {
	int32_t pid, tid;
};

static void put_header(struct csg_enc_bytes *b, uint32_t type, size_t size)
{
	csg_enc_bytes_u32(b, type);
	csg_enc_bytes_u16(b, 0);
	csg_enc_bytes_u16(b, (uint16_t)size);
}

/* What sample_id_all adds to a record of cs_etm. */
static void put_sample_id(const struct hostfile *h, struct csg_enc_bytes *b, unsigned cpu,
			  struct thread o, uint64_t time)
{
	csg_enc_bytes_u32(b, (uint32_t)o.pid);
	csg_enc_bytes_u32(b, (uint32_t)o.tid);
	csg_enc_bytes_u64(b, time);
	csg_enc_bytes_u32(b, cpu);
	csg_enc_bytes_u32(b, 0);
	csg_enc_bytes_u64(b, h->first_id + cpu);
}

static void put_auxtrace_info(const struct hostfile *h, struct csg_enc_bytes *b)
{
	const struct csg_enc_model *m = model_of(h, 0);
	size_t at = b->size;

	put_header(b, RECORD_AUXTRACE_INFO, 0);
	csg_enc_bytes_u32(b, AUXTRACE_CS_ETM);
	csg_enc_bytes_u32(b, 0);
	csg_enc_bytes_u64(b, 2);
	csg_enc_bytes_u64(b, (uint64_t)h->pmu << 32 | h->cpus);
	csg_enc_bytes_u64(b, 0); /* snapshot mode */
	for (unsigned cpu = 0; cpu < h->cpus; cpu++) {
		struct csg_enc_registers r;
		/* TRFCR_EL1.TS: 1 virtual, 2 guest physical, 3 physical; -1: no FEAT_TRF. */
		int64_t source = m->clock == CSG_ENC_CLOCK_VIRTUAL    ? 1
				 : m->clock == CSG_ENC_CLOCK_PHYSICAL ? 3
								      : -1;

		csg_enc_model_registers(model_of(h, cpu), &r);
		csg_enc_bytes_u64(b, m->ete ? 0x5050505050505050 : 0x4040404040404040);
		csg_enc_bytes_u64(b, cpu);
		csg_enc_bytes_u64(b, m->ete ? 9 : 8);
		csg_enc_bytes_u64(b, r.configr);
		csg_enc_bytes_u64(b, r.traceidr);
		csg_enc_bytes_u64(b, r.idr0);
		csg_enc_bytes_u64(b, r.idr1);
		csg_enc_bytes_u64(b, r.idr2);
		csg_enc_bytes_u64(b, r.idr8);
		csg_enc_bytes_u64(b, r.authstatus);
		if (m->ete)
			csg_enc_bytes_u64(b, r.devarch);
		csg_enc_bytes_u64(b, (uint64_t)source);
	}
	csg_enc_bytes_set_u16(b, at + 6, (uint16_t)(b->size - at));
}

static void put_start(const struct hostfile *h, struct csg_enc_bytes *b, unsigned cpu,
		      struct thread o, uint64_t time)
{
	/* Minor version 1: the trace ID is valid within its sink. Each CPU has one of its own. */
	uint64_t hw_id = 1ull << 56 | (uint64_t)(0x5100 + cpu) << 8 | model_of(h, cpu)->trace_id;

	put_header(b, PERF_RECORD_ITRACE_START, 8 + 8 + 32);
	csg_enc_bytes_u32(b, (uint32_t)o.pid);
	csg_enc_bytes_u32(b, (uint32_t)o.tid);
	put_sample_id(h, b, cpu, o, time);
	put_header(b, PERF_RECORD_AUX_OUTPUT_HW_ID, 8 + 8 + 32);
	csg_enc_bytes_u64(b, hw_id);
	put_sample_id(h, b, cpu, o, time);
}

static void put_aux(const struct hostfile *h, struct csg_enc_bytes *b, unsigned cpu,
		    struct thread o, uint64_t time)
{
	put_header(b, PERF_RECORD_AUX, 8 + 24 + 32);
	csg_enc_bytes_u64(b, 0);
	csg_enc_bytes_u64(b, h->trace[cpu].size);
	csg_enc_bytes_u64(b, model_of(h, cpu)->ete ? PERF_AUX_FLAG_CORESIGHT_FORMAT_RAW
						   : PERF_AUX_FLAG_CORESIGHT_FORMAT_CORESIGHT);
	put_sample_id(h, b, cpu, o, time);
}

static void put_auxtrace(struct hostfile *h, unsigned cpu)
{
	struct csg_enc_bytes *b = &h->out;
	uint64_t size = (h->trace[cpu].size + 7) & ~7ull;

	h->index[cpu][0] = b->size;
	h->index[cpu][1] = 48;
	put_header(b, RECORD_AUXTRACE, 48);
	csg_enc_bytes_u64(b, size);
	csg_enc_bytes_u64(b, 0);
	csg_enc_bytes_u64(b, 0x2da4a8993812c000u + cpu); /* reference: any number */
	csg_enc_bytes_u32(b, cpu);
	csg_enc_bytes_u32(b, UINT32_MAX);
	csg_enc_bytes_u32(b, cpu);
	csg_enc_bytes_u32(b, 0);
	csg_enc_bytes_put(b, h->trace[cpu].data, h->trace[cpu].size);
	csg_enc_bytes_zero(b, size - h->trace[cpu].size);
}

static void put_id_index(const struct hostfile *h, struct csg_enc_bytes *b,
			 const struct sb_record *r)
{
	size_t at = b->size;

	csg_enc_bytes_put(b, r->bytes, r->size);
	csg_enc_bytes_set_u64(b, at + 8, get64(r->bytes + 8) + h->cpus);
	for (unsigned cpu = 0; cpu < h->cpus; cpu++) {
		csg_enc_bytes_u64(b, h->first_id + cpu);
		csg_enc_bytes_u64(b, cpu);
		csg_enc_bytes_u64(b, cpu);
		csg_enc_bytes_u64(b, UINT64_MAX);
	}
	csg_enc_bytes_set_u16(b, at + 6, (uint16_t)(b->size - at));
}

/* ---- data ---- */

/* After which record something of that time stands: the last one that is not younger. */
static size_t place(const struct sideband *sb, uint64_t time)
{
	size_t at = 0;

	for (size_t i = 0; i < sb->records; i++)
		if (sb->record[i].time && sb->record[i].time <= time)
			at = i;
	return at;
}

static void put_data(struct hostfile *h)
{
	const struct sideband *sb = h->sb;
	struct {
		size_t start, stop;
		struct thread first, last;
		uint64_t t0, t1;
	} at[RAW_MAX_CPUS];

	for (unsigned cpu = 0; cpu < h->cpus; cpu++) {
		const struct stream *s = &h->c->stream[cpu];

		at[cpu].t0 = sb_time(sb, s->first_counter);
		at[cpu].t1 = sb_time(sb, s->last_counter);
		at[cpu].start = place(sb, at[cpu].t0);
		at[cpu].stop = place(sb, at[cpu].t1);
		at[cpu].first.tid = s->first_thread;
		at[cpu].last.tid = s->last_thread;
		at[cpu].first.pid = sb_pid(sb, s->first_thread, at[cpu].t0, NULL);
		at[cpu].last.pid = sb_pid(sb, s->last_thread, at[cpu].t1, NULL);
	}
	for (size_t i = 0; i < sb->records; i++) {
		const struct sb_record *r = &sb->record[i];

		if (r->type == RECORD_ID_INDEX)
			put_id_index(h, &h->out, r);
		else
			csg_enc_bytes_put(&h->out, r->bytes, r->size);
		if (r->type == RECORD_TIME_CONV)
			put_auxtrace_info(h, &h->out);
		for (unsigned cpu = 0; cpu < h->cpus; cpu++) {
			if (!h->c->stream[cpu].runs)
				continue;
			if (i == at[cpu].start)
				put_start(h, &h->out, cpu, at[cpu].first, at[cpu].t0);
			if (i == at[cpu].stop) {
				put_aux(h, &h->out, cpu, at[cpu].last, at[cpu].t1);
				put_auxtrace(h, cpu);
			}
		}
	}
}

/* ---- header, attributes, features ---- */

static void put_attrs(struct hostfile *h)
{
	const struct sideband *sb = h->sb;
	struct csg_enc_bytes *b = &h->out;
	size_t ids[17], n = sb->attrs;

	csg_enc_bytes_put(b, sb->file, HEADER_SIZE);
	for (size_t i = 0; i < n; i++) {
		ids[i] = b->size;
		csg_enc_bytes_put(b, sb->attr[i].ids, 8 * (size_t)sb->attr[i].n_ids);
	}
	ids[n] = b->size;
	for (unsigned cpu = 0; cpu < h->cpus; cpu++)
		csg_enc_bytes_u64(b, h->first_id + cpu);
	csg_enc_bytes_set_u64(b, AT_ATTRS, b->size);
	csg_enc_bytes_set_u64(b, AT_ATTRS + 8, (n + 1) * (sb->attr_size + 16));
	for (size_t i = 0; i <= n; i++) {
		if (i < n)
			csg_enc_bytes_put(b, sb->attr[i].bytes, sb->attr_size);
		else
			put_attr(h, b);
		csg_enc_bytes_u64(b, ids[i]);
		csg_enc_bytes_u64(b,
				  i < n ? 8 * (uint64_t)sb->attr[i].n_ids : 8 * (uint64_t)h->cpus);
	}
}

/* perf's header strings: u32 size, padded to 64 bytes. */
static void put_string(struct csg_enc_bytes *b, const char *text)
{
	size_t size = (strlen(text) + 1 + 63) / 64 * 64;

	csg_enc_bytes_u32(b, (uint32_t)size);
	csg_enc_bytes_put(b, text, strlen(text));
	csg_enc_bytes_zero(b, size - strlen(text));
}

static void put_feature(struct hostfile *h, unsigned bit)
{
	struct csg_enc_bytes *b = &h->out;
	uint64_t at, size;
	uint32_t n;

	if (bit == FEATURE_AUXTRACE) {
		csg_enc_bytes_u64(b, h->cpus);
		for (unsigned cpu = 0; cpu < h->cpus; cpu++) {
			csg_enc_bytes_u64(b, h->index[cpu][0]);
			csg_enc_bytes_u64(b, h->index[cpu][1]);
		}
		return;
	}
	sb_feature(h->sb, bit, &at, &size);
	if ((bit != FEATURE_EVENT_DESC && bit != FEATURE_PMU_MAPPINGS) || size < 4) {
		csg_enc_bytes_put(b, h->sb->file + at, size);
		return;
	}
	n = get32(h->sb->file + at) + 1;
	csg_enc_bytes_u32(b, n);
	csg_enc_bytes_put(b, h->sb->file + at + 4, size - 4);
	if (bit == FEATURE_PMU_MAPPINGS) {
		csg_enc_bytes_u32(b, h->pmu);
		put_string(b, "cs_etm");
		return;
	}
	put_attr(h, b);
	csg_enc_bytes_u32(b, h->cpus);
	put_string(b, model_of(h, 0)->context_id ? "cs_etm/contextid1,contextid2/" : "cs_etm//");
	for (unsigned cpu = 0; cpu < h->cpus; cpu++)
		csg_enc_bytes_u64(b, h->first_id + cpu);
}

static void put_features(struct hostfile *h)
{
	struct csg_enc_bytes *b = &h->out;
	size_t table = b->size, n = 0;
	uint64_t at, size;
	bool has[FEATURES];

	for (unsigned bit = 0; bit < FEATURES; bit++) {
		has[bit] = bit == FEATURE_AUXTRACE || sb_feature(h->sb, bit, &at, &size);
		n += has[bit];
	}
	b->data[AT_FEATURES + FEATURE_AUXTRACE / 8] |= 1 << FEATURE_AUXTRACE % 8;
	csg_enc_bytes_zero(b, 16 * n);
	for (unsigned bit = 0; bit < FEATURES; bit++) {
		size_t from = b->size;

		if (!has[bit])
			continue;
		put_feature(h, bit);
		csg_enc_bytes_set_u64(b, table, from);
		csg_enc_bytes_set_u64(b, table + 8, b->size - from);
		table += 16;
	}
}

/* Raw as a TRBE leaves it, or in the frames of an ETR. */
static void make_trace(struct hostfile *h, unsigned cpu)
{
	const struct stream *s = &h->c->stream[cpu];
	struct csg_enc_frames frames = {0};

	if (s->etm.model.ete) {
		csg_enc_bytes_put(&h->trace[cpu], s->etm.out.data, s->etm.out.size);
		return;
	}
	csg_enc_frames_barrier(&frames);
	csg_enc_frames_put(&frames, s->etm.model.trace_id, s->etm.out.data, s->etm.out.size);
	csg_enc_frames_flush(&frames);
	csg_enc_bytes_put(&h->trace[cpu], frames.out.data, frames.out.size);
	csg_enc_frames_fini(&frames);
}

int hostfile_write(const char *path, const struct composer *c, unsigned cpus)
{
	struct hostfile h = {.c = c, .sb = &c->machines.machine[0].sb, .cpus = cpus};
	size_t from;
	int error;

	h.pmu = free_pmu_type(h.sb);
	h.first_id = highest_id(h.sb) + 1;
	for (unsigned cpu = 0; cpu < cpus; cpu++)
		make_trace(&h, cpu);
	put_attrs(&h);
	from = h.out.size;
	put_data(&h);
	csg_enc_bytes_set_u64(&h.out, AT_DATA, from);
	csg_enc_bytes_set_u64(&h.out, AT_DATA + 8, h.out.size - from);
	put_features(&h);
	error = csg_enc_bytes_save(&h.out, path);
	if (error)
		perror(path);
	for (unsigned cpu = 0; cpu < cpus; cpu++)
		csg_enc_bytes_fini(&h.trace[cpu]);
	csg_enc_bytes_fini(&h.out);
	return error ? -1 : 0;
}
