/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes perf.data files as `perf record -e cs_etm//` does: events (perf_event_attr) with
 * their sample IDs, records, AUX area data, feature sections.
 *
 * Records are written in the order of the calls; perf itself sorts them by time within
 * rounds (FINISHED_ROUND).  Every kernel record ends with a sample ID (sample_id_all):
 * TID, TIME, CPU and IDENTIFIER, as cs_etm sessions have it.
 *
 * Forms that readers must cope with are options: attrs of another size than the
 * reader's, pipe mode, compressed records.
 */
#ifndef TESTS_ENCODER_PERF_WRITER_H
#define TESTS_ENCODER_PERF_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "encoder/bytes.h"
#include "encoder/model.h"

#define CSG_ENC_PERF_EVENTS 8
#define CSG_ENC_PERF_IDS 256
#define CSG_ENC_PERF_BUILD_IDS 32
#define CSG_ENC_PERF_ANY UINT32_MAX /* a CPU or TID of -1 */

/* Bits of perf_event_attr's flag word that recordings here use. */
#define CSG_ENC_ATTR_DISABLED (UINT64_C(1) << 0)
#define CSG_ENC_ATTR_INHERIT (UINT64_C(1) << 1)
#define CSG_ENC_ATTR_EXCLUDE_USER (UINT64_C(1) << 4)
#define CSG_ENC_ATTR_EXCLUDE_KERNEL (UINT64_C(1) << 5)
#define CSG_ENC_ATTR_EXCLUDE_HV (UINT64_C(1) << 6)
#define CSG_ENC_ATTR_MMAP (UINT64_C(1) << 8)
#define CSG_ENC_ATTR_COMM (UINT64_C(1) << 9)
#define CSG_ENC_ATTR_TASK (UINT64_C(1) << 13)
#define CSG_ENC_ATTR_SAMPLE_ID_ALL (UINT64_C(1) << 18)
#define CSG_ENC_ATTR_EXCLUDE_HOST (UINT64_C(1) << 19)
#define CSG_ENC_ATTR_EXCLUDE_GUEST (UINT64_C(1) << 20)
#define CSG_ENC_ATTR_MMAP2 (UINT64_C(1) << 23)
#define CSG_ENC_ATTR_COMM_EXEC (UINT64_C(1) << 24)
#define CSG_ENC_ATTR_CONTEXT_SWITCH (UINT64_C(1) << 26)
#define CSG_ENC_ATTR_KSYMBOL (UINT64_C(1) << 29)
#define CSG_ENC_ATTR_TEXT_POKE (UINT64_C(1) << 33)

/* perf_event_header.misc */
#define CSG_ENC_MISC_KERNEL 1
#define CSG_ENC_MISC_USER 2
#define CSG_ENC_MISC_CPUMODE 7 /* the bits of it */
#define CSG_ENC_MISC_GUEST_KERNEL 4
#define CSG_ENC_MISC_GUEST_USER 5
#define CSG_ENC_MISC_COMM_EXEC (1 << 13)
#define CSG_ENC_MISC_SWITCH_OUT (1 << 13)
#define CSG_ENC_MISC_SWITCH_OUT_PREEMPT (1 << 14)
#define CSG_ENC_MISC_MMAP_BUILD_ID (1 << 14)

/* PERF_SAMPLE_IP|TID|TIME|CPU|IDENTIFIER: what a record ends with, and samples hold. */
#define CSG_ENC_PERF_SAMPLE_TYPE UINT64_C(0x10087)
#define CSG_ENC_PERF_SAMPLE_RAW UINT64_C(0x400)

struct csg_enc_perf_options {
	uint32_t attr_size; /* sizeof(struct perf_event_attr): 64..136 and beyond, 8s */
	bool pipe;
	const char *hostname, *release, *cmdline; /* NULL: no such feature */
	uint32_t cpus;
	uint32_t pmu_type; /* of cs_etm */
	bool tracing_data; /* formats of KVM's events (encoder/tracing_data.h); not in a pipe */
};

struct csg_enc_perf_event {
	uint32_t type;
	uint64_t config, period, flags;
	bool raw; /* samples hold PERF_SAMPLE_RAW */
	const char *name;
	uint32_t id_start, id_count; /* in ids[] */
};

struct csg_enc_perf_id {
	uint64_t id;
	uint32_t idx, cpu, tid;
	uint32_t machine_pid, vcpu; /* 0 and ANY where the event is the host's */
};

/* The sample ID at the end of a record. */
struct csg_enc_perf_sample {
	uint32_t pid, tid, cpu;
	uint64_t time, id;
};

struct csg_enc_perf_mmap {
	uint32_t pid, tid;
	uint64_t start, size, offset;
	const char *name;
	uint32_t major, minor;
	uint64_t inode;
	const uint8_t *build_id; /* 20 bytes instead of the inode, or NULL */
};

struct csg_enc_perf_build_id {
	uint16_t misc;
	uint32_t pid;
	uint8_t id[20];
	char name[128];
};

struct csg_enc_perf {
	struct csg_enc_perf_options options;
	struct csg_enc_perf_event events[CSG_ENC_PERF_EVENTS];
	unsigned event_count;
	struct csg_enc_perf_id ids[CSG_ENC_PERF_IDS];
	unsigned id_count;
	struct csg_enc_perf_build_id build_ids[CSG_ENC_PERF_BUILD_IDS];
	unsigned build_id_count;
	struct csg_enc_bytes data;	/* the records */
	struct csg_enc_bytes aux_index; /* offset in data and size of every AUXTRACE */
	uint64_t first_time, last_time;
	void *stream; /* ZSTD_CStream, once something was compressed */
	struct csg_enc_bytes staged;
	int compressing; /* record type, 0: not */
	/* What perf inject --guest-data brings of a guest has a guest's cpumode, whatever it is. */
	bool of_guest;
};

/* pmu_type 10, four CPUs, attrs of 128 bytes, not a pipe; change `options` before the first
 * call. */
void csg_enc_perf_init(struct csg_enc_perf *p);
void csg_enc_perf_fini(struct csg_enc_perf *p);

/*
 * Adds an event with one sample ID per CPU (per_thread: one, for that tid).  Returns
 * the first ID; the IDs of the CPUs after it follow.
 */
uint64_t csg_enc_perf_add_event(struct csg_enc_perf *p, const struct csg_enc_perf_event *event,
				uint32_t tid);
/* The cs_etm event: what the model traces as attr.config says it. */
uint64_t csg_enc_perf_add_etm(struct csg_enc_perf *p, const struct csg_enc_model *model,
			      uint64_t flags, uint32_t tid);
/* The dummy event that carries sideband. */
uint64_t csg_enc_perf_add_dummy(struct csg_enc_perf *p, uint64_t flags, uint32_t tid);
/* A sample ID of a guest, injected by perf inject --guest-data; appears in ID_INDEX. */
void csg_enc_perf_add_guest_id(struct csg_enc_perf *p, const struct csg_enc_perf_id *id);
void csg_enc_perf_add_build_id(struct csg_enc_perf *p, uint16_t misc, uint32_t pid,
			       const uint8_t id[20], const char *name);

/* Any record: body without header, with the sample ID after it when sample is given. */
void csg_enc_perf_record(struct csg_enc_perf *p, uint32_t type, uint16_t misc,
			 const struct csg_enc_bytes *body,
			 const struct csg_enc_perf_sample *sample);

/* Synthesised and user records. */
void csg_enc_perf_id_index(struct csg_enc_perf *p);
void csg_enc_perf_time_conv(struct csg_enc_perf *p, uint64_t shift, uint64_t mult, uint64_t zero);
/*
 * AUXTRACE_INFO for CPUs 0..count-1 with their models.  version: of the header, 0 (no
 * count of parameters per CPU), 1 or 2.  ts_source -1: no FEAT_TRF.
 */
void csg_enc_perf_auxtrace_info(struct csg_enc_perf *p, unsigned version,
				const struct csg_enc_model *models, unsigned count,
				int64_t ts_source);
void csg_enc_perf_auxtrace(struct csg_enc_perf *p, uint32_t cpu, uint32_t tid, uint64_t offset,
			   uint64_t reference, const void *data, size_t size);
void csg_enc_perf_finished_round(struct csg_enc_perf *p);
void csg_enc_perf_finished_init(struct csg_enc_perf *p);

/* Kernel records. */
void csg_enc_perf_mmap(struct csg_enc_perf *p, uint16_t misc, const struct csg_enc_perf_mmap *m,
		       const struct csg_enc_perf_sample *sample);
void csg_enc_perf_mmap2(struct csg_enc_perf *p, uint16_t misc, const struct csg_enc_perf_mmap *m,
			const struct csg_enc_perf_sample *sample);
void csg_enc_perf_comm(struct csg_enc_perf *p, uint32_t pid, uint32_t tid, const char *comm,
		       bool exec, const struct csg_enc_perf_sample *sample);
/* FORK, or EXIT. */
void csg_enc_perf_task(struct csg_enc_perf *p, bool exit, uint32_t pid, uint32_t tid, uint32_t ppid,
		       uint32_t ptid, const struct csg_enc_perf_sample *sample);
/* n records were lost before the next. */
void csg_enc_perf_lost(struct csg_enc_perf *p, uint64_t n,
		       const struct csg_enc_perf_sample *sample);
/* SWITCH_CPU_WIDE: out to, or in from, the other task. */
void csg_enc_perf_switch(struct csg_enc_perf *p, bool out, uint32_t other_pid, uint32_t other_tid,
			 const struct csg_enc_perf_sample *sample);
/* The same of one that is switched out though it could run on. */
void csg_enc_perf_preempt(struct csg_enc_perf *p, uint32_t other_pid, uint32_t other_tid,
			  const struct csg_enc_perf_sample *sample);
void csg_enc_perf_itrace_start(struct csg_enc_perf *p, uint32_t pid, uint32_t tid,
			       const struct csg_enc_perf_sample *sample);
/* flags: 1 truncated, 2 overwrite, 4 partial, 8 collision, 0x100 raw. */
void csg_enc_perf_aux(struct csg_enc_perf *p, uint64_t offset, uint64_t size, uint64_t flags,
		      const struct csg_enc_perf_sample *sample);
/* sink is put in with minor version 1 only. */
void csg_enc_perf_hw_id(struct csg_enc_perf *p, uint8_t trace_id, unsigned minor, uint32_t sink,
			const struct csg_enc_perf_sample *sample);
void csg_enc_perf_ksymbol(struct csg_enc_perf *p, uint64_t address, uint32_t size, uint16_t type,
			  bool unregister, const char *name,
			  const struct csg_enc_perf_sample *sample);
void csg_enc_perf_text_poke(struct csg_enc_perf *p, uint64_t address, const void *before,
			    uint16_t before_size, const void *after, uint16_t after_size,
			    const struct csg_enc_perf_sample *sample);

/*
 * Records between these two are compressed: COMPRESSED records (type 81), or COMPRESSED2
 * (83) of newer perfs.  AUXTRACE must stay outside.
 */
void csg_enc_perf_compress(struct csg_enc_perf *p, bool compressed2);
void csg_enc_perf_compress_end(struct csg_enc_perf *p);

/* The file. */
void csg_enc_perf_finish(struct csg_enc_perf *p, struct csg_enc_bytes *file);

#endif
