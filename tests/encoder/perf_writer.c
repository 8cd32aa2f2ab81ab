/* SPDX-License-Identifier: BSD-3-Clause */
#include "encoder/perf_writer.h"

#include <stdlib.h>
#include <string.h>

#include <zstd.h>

/* PERF_RECORD_* */
enum {
	MMAP = 1,
	COMM = 3,
	LOST = 2,
	EXIT = 4,
	FORK = 7,
	MMAP2 = 10,
	AUX = 11,
	ITRACE_START = 12,
	SWITCH_CPU_WIDE = 15,
	KSYMBOL = 17,
	TEXT_POKE = 20,
	AUX_OUTPUT_HW_ID = 21,
	FINISHED_ROUND = 68,
	ID_INDEX = 69,
	AUXTRACE_INFO = 70,
	AUXTRACE = 71,
	TIME_CONV = 79,
	COMPRESSED = 81,
	FINISHED_INIT = 82,
	COMPRESSED2 = 83,
};

#define PERF_TYPE_SOFTWARE 1
#define PERF_COUNT_SW_DUMMY 9
#define FIRST_ID 100

void csg_enc_perf_init(struct csg_enc_perf *p)
{
	memset(p, 0, sizeof(*p));
	p->options.attr_size = 128;
	p->options.cpus = 4;
	p->options.pmu_type = 10;
}

void csg_enc_perf_fini(struct csg_enc_perf *p)
{
	csg_enc_bytes_fini(&p->data);
	csg_enc_bytes_fini(&p->aux_index);
	csg_enc_bytes_fini(&p->staged);
	ZSTD_freeCStream(p->stream);
	memset(p, 0, sizeof(*p));
}

uint64_t csg_enc_perf_add_event(struct csg_enc_perf *p, const struct csg_enc_perf_event *event,
				uint32_t tid)
{
	struct csg_enc_perf_event *e = &p->events[p->event_count++];
	bool per_thread = tid != CSG_ENC_PERF_ANY;

	*e = *event;
	e->id_start = p->id_count;
	e->id_count = per_thread ? 1 : p->options.cpus;
	for (uint32_t i = 0; i < e->id_count; i++) {
		p->ids[p->id_count] = (struct csg_enc_perf_id){
			.id = FIRST_ID + p->id_count,
			.idx = i,
			.cpu = per_thread ? CSG_ENC_PERF_ANY : i,
			.tid = tid,
			.vcpu = CSG_ENC_PERF_ANY,
		};
		p->id_count++;
	}
	return p->ids[e->id_start].id;
}

uint64_t csg_enc_perf_add_etm(struct csg_enc_perf *p, const struct csg_enc_model *model,
			      uint64_t flags, uint32_t tid)
{
	struct csg_enc_perf_event e = {
		.type = p->options.pmu_type,
		.period = 1,
		.flags = flags | CSG_ENC_ATTR_SAMPLE_ID_ALL,
		.name = "cs_etm//",
	};

	/* the PMU's config bits are of TRCCONFIGR's older layout: coresight-pmu.h */
	e.config |= model->branch_broadcast ? UINT64_C(1) << 8 : 0;
	e.config |= model->cycle_counts ? UINT64_C(1) << 12 : 0;
	e.config |= model->context_id ? UINT64_C(1) << 14 : 0;
	e.config |= model->virt >= CSG_ENC_VIRTUAL_CONTEXTIDR2 ? UINT64_C(1) << 15 : 0;
	e.config |= model->clock != CSG_ENC_CLOCK_NONE ? UINT64_C(1) << 28 : 0;
	e.config |= model->return_stack ? UINT64_C(1) << 29 : 0;
	return csg_enc_perf_add_event(p, &e, tid);
}

uint64_t csg_enc_perf_add_dummy(struct csg_enc_perf *p, uint64_t flags, uint32_t tid)
{
	struct csg_enc_perf_event e = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.period = 1,
		.flags = flags | CSG_ENC_ATTR_SAMPLE_ID_ALL,
		.name = "dummy:u",
	};

	return csg_enc_perf_add_event(p, &e, tid);
}

void csg_enc_perf_add_guest_id(struct csg_enc_perf *p, const struct csg_enc_perf_id *id)
{
	p->ids[p->id_count++] = *id;
}

void csg_enc_perf_add_build_id(struct csg_enc_perf *p, uint16_t misc, uint32_t pid,
			       const uint8_t id[20], const char *name)
{
	struct csg_enc_perf_build_id *b = &p->build_ids[p->build_id_count++];

	b->misc = misc;
	b->pid = pid;
	memcpy(b->id, id, 20);
	strncpy(b->name, name, sizeof(b->name) - 1);
}

static struct csg_enc_bytes *sink(struct csg_enc_perf *p)
{
	return p->compressing ? &p->staged : &p->data;
}

static void put_sample(struct csg_enc_bytes *out, const struct csg_enc_perf_sample *s)
{
	csg_enc_bytes_u32(out, s->pid);
	csg_enc_bytes_u32(out, s->tid);
	csg_enc_bytes_u64(out, s->time);
	csg_enc_bytes_u32(out, s->cpu);
	csg_enc_bytes_u32(out, 0);
	csg_enc_bytes_u64(out, s->id);
}

void csg_enc_perf_record(struct csg_enc_perf *p, uint32_t type, uint16_t misc,
			 const struct csg_enc_bytes *body, const struct csg_enc_perf_sample *sample)
{
	struct csg_enc_bytes *out = sink(p);
	size_t at = out->size;

	csg_enc_bytes_u32(out, type);
	csg_enc_bytes_u16(out, misc);
	csg_enc_bytes_u16(out, 0);
	if (body)
		csg_enc_bytes_put(out, body->data, body->size);
	csg_enc_bytes_zero(out, (8 - (out->size - at) % 8) % 8);
	if (sample) {
		put_sample(out, sample);
		if (sample->time && (!p->first_time || sample->time < p->first_time))
			p->first_time = sample->time;
		if (sample->time > p->last_time)
			p->last_time = sample->time;
	}
	csg_enc_bytes_set_u16(out, at + 6, (uint16_t)(out->size - at));
}

/* Writes the record and forgets the body. */
static void emit(struct csg_enc_perf *p, uint32_t type, uint16_t misc, struct csg_enc_bytes *body,
		 const struct csg_enc_perf_sample *sample)
{
	if (p->of_guest && !(misc & CSG_ENC_MISC_CPUMODE))
		misc |= CSG_ENC_MISC_GUEST_KERNEL;
	csg_enc_perf_record(p, type, misc, body, sample);
	csg_enc_bytes_fini(body);
}

static uint64_t wide(uint32_t v)
{
	return v == CSG_ENC_PERF_ANY ? UINT64_MAX : v;
}

void csg_enc_perf_id_index(struct csg_enc_perf *p)
{
	struct csg_enc_bytes b = {0};
	bool guests = false;

	csg_enc_bytes_u64(&b, p->id_count);
	for (unsigned i = 0; i < p->id_count; i++) {
		const struct csg_enc_perf_id *id = &p->ids[i];

		csg_enc_bytes_u64(&b, id->id);
		csg_enc_bytes_u64(&b, id->idx);
		csg_enc_bytes_u64(&b, wide(id->cpu));
		csg_enc_bytes_u64(&b, wide(id->tid));
		guests |= id->machine_pid != 0;
	}
	for (unsigned i = 0; guests && i < p->id_count; i++) {
		csg_enc_bytes_u64(&b, p->ids[i].machine_pid);
		csg_enc_bytes_u64(&b, wide(p->ids[i].vcpu));
	}
	emit(p, ID_INDEX, 0, &b, NULL);
}

void csg_enc_perf_time_conv(struct csg_enc_perf *p, uint64_t shift, uint64_t mult, uint64_t zero)
{
	struct csg_enc_bytes b = {0};

	csg_enc_bytes_u64(&b, shift);
	csg_enc_bytes_u64(&b, mult);
	csg_enc_bytes_u64(&b, zero);
	csg_enc_bytes_u64(&b, 0);
	csg_enc_bytes_u64(&b, UINT64_MAX >> 8);
	csg_enc_bytes_u8(&b, 1); /* cap_user_time_zero */
	csg_enc_bytes_u8(&b, 1); /* cap_user_time_short */
	emit(p, TIME_CONV, 0, &b, NULL);
}

/* What perf keeps of one trace unit. */
static void put_unit(struct csg_enc_bytes *b, unsigned version, unsigned cpu,
		     const struct csg_enc_model *model, int64_t ts_source)
{
	struct csg_enc_registers r;
	uint64_t params[11];
	unsigned n = 0;

	csg_enc_model_registers(model, &r);
	params[n++] = r.configr & ~1u; /* perf makes it from attr.config: no RES1 bit */
	params[n++] = r.traceidr;
	params[n++] = r.idr0;
	params[n++] = r.idr1;
	params[n++] = r.idr2;
	params[n++] = r.idr8;
	params[n++] = r.authstatus;
	if (model->ete)
		params[n++] = r.devarch;
	if (version)
		params[n++] = (uint64_t)ts_source;
	csg_enc_bytes_u64(b, model->ete ? 0x5050505050505050 : 0x4040404040404040);
	csg_enc_bytes_u64(b, cpu);
	if (version)
		csg_enc_bytes_u64(b, n);
	for (unsigned i = 0; i < n; i++)
		csg_enc_bytes_u64(b, params[i]);
}

void csg_enc_perf_auxtrace_info(struct csg_enc_perf *p, unsigned version,
				const struct csg_enc_model *models, unsigned count,
				int64_t ts_source)
{
	struct csg_enc_bytes b = {0};

	csg_enc_bytes_u32(&b, 3); /* PERF_AUXTRACE_CS_ETM */
	csg_enc_bytes_u32(&b, 0);
	csg_enc_bytes_u64(&b, version);
	csg_enc_bytes_u64(&b, (uint64_t)p->options.pmu_type << 32 | count);
	csg_enc_bytes_u64(&b, 0); /* snapshot */
	for (unsigned i = 0; i < count; i++)
		put_unit(&b, version, i, &models[i], ts_source);
	emit(p, AUXTRACE_INFO, 0, &b, NULL);
}

void csg_enc_perf_auxtrace(struct csg_enc_perf *p, uint32_t cpu, uint32_t tid, uint64_t offset,
			   uint64_t reference, const void *data, size_t size)
{
	struct csg_enc_bytes b = {0};
	size_t padded = (size + 7) / 8 * 8;

	csg_enc_bytes_u64(&p->aux_index, p->data.size);
	csg_enc_bytes_u64(&p->aux_index, 48);
	csg_enc_bytes_u64(&b, padded);
	csg_enc_bytes_u64(&b, offset);
	csg_enc_bytes_u64(&b, reference);
	csg_enc_bytes_u32(&b, cpu == CSG_ENC_PERF_ANY ? 0 : cpu);
	csg_enc_bytes_u32(&b, tid);
	csg_enc_bytes_u32(&b, cpu);
	emit(p, AUXTRACE, 0, &b, NULL);
	csg_enc_bytes_put(&p->data, data, size);
	csg_enc_bytes_zero(&p->data, padded - size);
}

void csg_enc_perf_finished_round(struct csg_enc_perf *p)
{
	csg_enc_perf_record(p, FINISHED_ROUND, 0, NULL, NULL);
}

void csg_enc_perf_finished_init(struct csg_enc_perf *p)
{
	csg_enc_perf_record(p, FINISHED_INIT, 0, NULL, NULL);
}

static void put_mapping(struct csg_enc_bytes *b, const struct csg_enc_perf_mmap *m)
{
	csg_enc_bytes_u32(b, m->pid);
	csg_enc_bytes_u32(b, m->tid);
	csg_enc_bytes_u64(b, m->start);
	csg_enc_bytes_u64(b, m->size);
	csg_enc_bytes_u64(b, m->offset);
}

void csg_enc_perf_mmap(struct csg_enc_perf *p, uint16_t misc, const struct csg_enc_perf_mmap *m,
		       const struct csg_enc_perf_sample *sample)
{
	struct csg_enc_bytes b = {0};

	put_mapping(&b, m);
	csg_enc_bytes_put(&b, m->name, strlen(m->name) + 1);
	emit(p, MMAP, misc, &b, sample);
}

void csg_enc_perf_mmap2(struct csg_enc_perf *p, uint16_t misc, const struct csg_enc_perf_mmap *m,
			const struct csg_enc_perf_sample *sample)
{
	struct csg_enc_bytes b = {0};

	put_mapping(&b, m);
	if (m->build_id) {
		csg_enc_bytes_u32(&b, 20);
		csg_enc_bytes_put(&b, m->build_id, 20);
		misc |= CSG_ENC_MISC_MMAP_BUILD_ID;
	} else {
		csg_enc_bytes_u32(&b, m->major);
		csg_enc_bytes_u32(&b, m->minor);
		csg_enc_bytes_u64(&b, m->inode);
		csg_enc_bytes_u64(&b, 0);
	}
	csg_enc_bytes_u32(&b, 5); /* PROT_READ | PROT_EXEC */
	csg_enc_bytes_u32(&b, 2); /* MAP_PRIVATE */
	csg_enc_bytes_put(&b, m->name, strlen(m->name) + 1);
	emit(p, MMAP2, misc, &b, sample);
}

void csg_enc_perf_comm(struct csg_enc_perf *p, uint32_t pid, uint32_t tid, const char *comm,
		       bool exec, const struct csg_enc_perf_sample *sample)
{
	struct csg_enc_bytes b = {0};

	csg_enc_bytes_u32(&b, pid);
	csg_enc_bytes_u32(&b, tid);
	csg_enc_bytes_put(&b, comm, strnlen(comm, 15));
	csg_enc_bytes_u8(&b, 0);
	emit(p, COMM, exec ? CSG_ENC_MISC_COMM_EXEC : 0, &b, sample);
}

void csg_enc_perf_task(struct csg_enc_perf *p, bool exit, uint32_t pid, uint32_t tid, uint32_t ppid,
		       uint32_t ptid, const struct csg_enc_perf_sample *sample)
{
	struct csg_enc_bytes b = {0};

	csg_enc_bytes_u32(&b, pid);
	csg_enc_bytes_u32(&b, ppid);
	csg_enc_bytes_u32(&b, tid);
	csg_enc_bytes_u32(&b, ptid);
	csg_enc_bytes_u64(&b, sample ? sample->time : 0);
	emit(p, exit ? EXIT : FORK, 0, &b, sample);
}

void csg_enc_perf_lost(struct csg_enc_perf *p, uint64_t n, const struct csg_enc_perf_sample *sample)
{
	struct csg_enc_bytes b = {0};

	csg_enc_bytes_u64(&b, sample->id);
	csg_enc_bytes_u64(&b, n);
	emit(p, LOST, 0, &b, sample);
}

static void put_switch(struct csg_enc_perf *p, uint16_t misc, uint32_t other_pid,
		       uint32_t other_tid, const struct csg_enc_perf_sample *sample)
{
	struct csg_enc_bytes b = {0};

	csg_enc_bytes_u32(&b, other_pid);
	csg_enc_bytes_u32(&b, other_tid);
	emit(p, SWITCH_CPU_WIDE, misc, &b, sample);
}

void csg_enc_perf_switch(struct csg_enc_perf *p, bool out, uint32_t other_pid, uint32_t other_tid,
			 const struct csg_enc_perf_sample *sample)
{
	put_switch(p, out ? CSG_ENC_MISC_SWITCH_OUT : 0, other_pid, other_tid, sample);
}

void csg_enc_perf_preempt(struct csg_enc_perf *p, uint32_t other_pid, uint32_t other_tid,
			  const struct csg_enc_perf_sample *sample)
{
	put_switch(p, CSG_ENC_MISC_SWITCH_OUT | CSG_ENC_MISC_SWITCH_OUT_PREEMPT, other_pid,
		   other_tid, sample);
}

void csg_enc_perf_itrace_start(struct csg_enc_perf *p, uint32_t pid, uint32_t tid,
			       const struct csg_enc_perf_sample *sample)
{
	struct csg_enc_bytes b = {0};

	csg_enc_bytes_u32(&b, pid);
	csg_enc_bytes_u32(&b, tid);
	emit(p, ITRACE_START, 0, &b, sample);
}

void csg_enc_perf_aux(struct csg_enc_perf *p, uint64_t offset, uint64_t size, uint64_t flags,
		      const struct csg_enc_perf_sample *sample)
{
	struct csg_enc_bytes b = {0};

	csg_enc_bytes_u64(&b, offset);
	csg_enc_bytes_u64(&b, size);
	csg_enc_bytes_u64(&b, flags);
	emit(p, AUX, 0, &b, sample);
}

void csg_enc_perf_hw_id(struct csg_enc_perf *p, uint8_t trace_id, unsigned minor, uint32_t sink_id,
			const struct csg_enc_perf_sample *sample)
{
	struct csg_enc_bytes b = {0};
	uint64_t v = trace_id | (uint64_t)minor << 56;

	if (minor)
		v |= (uint64_t)sink_id << 8;
	csg_enc_bytes_u64(&b, v);
	emit(p, AUX_OUTPUT_HW_ID, 0, &b, sample);
}

void csg_enc_perf_ksymbol(struct csg_enc_perf *p, uint64_t address, uint32_t size, uint16_t type,
			  bool unregister, const char *name,
			  const struct csg_enc_perf_sample *sample)
{
	struct csg_enc_bytes b = {0};

	csg_enc_bytes_u64(&b, address);
	csg_enc_bytes_u32(&b, size);
	csg_enc_bytes_u16(&b, type);
	csg_enc_bytes_u16(&b, unregister);
	csg_enc_bytes_put(&b, name, strlen(name) + 1);
	emit(p, KSYMBOL, 0, &b, sample);
}

void csg_enc_perf_text_poke(struct csg_enc_perf *p, uint64_t address, const void *before,
			    uint16_t before_size, const void *after, uint16_t after_size,
			    const struct csg_enc_perf_sample *sample)
{
	struct csg_enc_bytes b = {0};

	csg_enc_bytes_u64(&b, address);
	csg_enc_bytes_u16(&b, before_size);
	csg_enc_bytes_u16(&b, after_size);
	csg_enc_bytes_put(&b, before, before_size);
	csg_enc_bytes_put(&b, after, after_size);
	/* As the kernel writes it: perf takes no other. */
	emit(p, TEXT_POKE, p->of_guest ? CSG_ENC_MISC_GUEST_KERNEL : CSG_ENC_MISC_KERNEL, &b,
	     sample);
}

void csg_enc_perf_compress(struct csg_enc_perf *p, bool compressed2)
{
	p->compressing = compressed2 ? COMPRESSED2 : COMPRESSED;
}

/* One zstd stream runs through all compressed records of a file; each ends with a flush. */
static void put_compressed(struct csg_enc_perf *p, int type, const void *data, size_t size)
{
	uint8_t capacity[60000];
	ZSTD_outBuffer out = {capacity, sizeof(capacity), 0};
	ZSTD_inBuffer in = {data, size, 0};
	struct csg_enc_bytes *to = &p->data;
	size_t at = to->size, body;

	if (!p->stream) {
		p->stream = ZSTD_createCStream();
		ZSTD_initCStream(p->stream, 1);
	}
	ZSTD_compressStream(p->stream, &out, &in);
	ZSTD_flushStream(p->stream, &out);
	body = out.pos;
	csg_enc_bytes_u32(to, (uint32_t)type);
	csg_enc_bytes_u16(to, 0);
	csg_enc_bytes_u16(to, 0);
	if (type == COMPRESSED2)
		csg_enc_bytes_u64(to, body);
	csg_enc_bytes_put(to, capacity, body);
	if (type == COMPRESSED2)
		csg_enc_bytes_zero(to, (8 - (to->size - at) % 8) % 8);
	csg_enc_bytes_set_u16(to, at + 6, (uint16_t)(to->size - at));
}

void csg_enc_perf_compress_end(struct csg_enc_perf *p)
{
	int type = p->compressing;

	p->compressing = 0;
	for (size_t at = 0; at < p->staged.size;) {
		size_t piece = p->staged.size - at;

		if (piece > 32768)
			piece = 32768;
		put_compressed(p, type, p->staged.data + at, piece);
		at += piece;
	}
	csg_enc_bytes_fini(&p->staged);
}
