/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of a perf.data and what their records carry.  A perf_event_attr (any size from
 * PERF_ATTR_SIZE_VER0 on) tells by its sample_type which fields a PERF_RECORD_SAMPLE has and,
 * with sample_id_all, which ones every other record of the kernel has at its end (struct
 * sample_id).  Which attr a record belongs to, its event ID tells: at a fixed place where
 * PERF_SAMPLE_IDENTIFIER is set, elsewhere by counting fields, as perf does.  IDs that
 * perf inject gave to a guest's events carry the guest's machine_pid and vcpu (ID_INDEX).
 */
#ifndef DECODER_RECORDING_PERF_PERF_ATTR_H
#define DECODER_RECORDING_PERF_PERF_ATTR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "files/perf_format.h"
#include "util/keyset.h"

#define CSG_PERF_TYPE_TRACEPOINT 2u

/* perf_event_attr.aux_action */
#define CSG_ATTR_AUX_START_PAUSED 1u
#define CSG_ATTR_AUX_PAUSE 2u
#define CSG_ATTR_AUX_RESUME 4u

struct csg_perf_attr {
	uint32_t type;
	uint64_t config, sample_type, read_format, flags;
	uint64_t branch_sample_type, regs_user, regs_intr; /* which fields their parts have */
	uint32_t config_id;  /* of cs_etm: which system configuration programs it; 0: none */
	uint32_t aux_action; /* CSG_ATTR_AUX_* */
	uint32_t aux_sample_size;
	bool sampled; /* of what happened some have records: by frequency, or by a period above 1 */
	const char *name; /* from EVENT_DESC, or NULL; interned */
};

/* What is known of an event ID. */
struct csg_perf_id {
	uint32_t attr;		   /* number of its attr */
	bool indexed;		   /* ID_INDEX spoke of it */
	int32_t cpu, tid;	   /* -1: any */
	int32_t machine_pid, vcpu; /* 0 and -1: host */
};

/* Zero-filled it is empty and ready for use. */
struct csg_perf_attrs {
	struct csg_perf_attr *attrs;
	size_t n, cap;
	struct csg_keyset numbers; /* of event IDs (uint64_t) in ids */
	struct csg_perf_id *ids;
	size_t n_ids, cap_ids;
};

/* The fields of a record that matter here; -1 or 0 where it does not carry them. */
struct csg_perf_sample {
	const struct csg_perf_attr *attr; /* NULL: the record says nothing of its event */
	uint32_t attr_index;
	uint64_t id, time, ip, period;
	int32_t pid, tid, cpu;
	int32_t machine_pid, vcpu;
	const uint8_t *raw; /* PERF_SAMPLE_RAW */
	uint32_t raw_len;
	const uint8_t *aux; /* PERF_SAMPLE_AUX: trace, up to the sample; NULL: none */
	uint32_t aux_len;
	size_t body; /* bytes of the record before its struct sample_id, header included */
};

/* Do records of attr carry a time?  attr may be NULL. */
bool csg_perf_attr_is_timed(const struct csg_perf_attr *attr);

void csg_perf_attrs_fini(struct csg_perf_attrs *attrs);

/*
 * Adds the attr at bytes, of which len are there; the number of the new one, or
 * -CSG_E_CORRUPT, -CSG_E_NO_MEMORY.
 */
int csg_perf_attrs_add(struct csg_perf_attrs *attrs, const uint8_t *bytes, size_t len);

/* Says that id belongs to attr; what ID_INDEX said of it stays. */
int csg_perf_attrs_add_id(struct csg_perf_attrs *attrs, uint64_t id, uint32_t attr);

/* Says what ID_INDEX says; an ID that no attr has is passed over. */
void csg_perf_attrs_index_id(struct csg_perf_attrs *attrs, uint64_t id, int32_t cpu, int32_t tid,
			     int32_t machine_pid, int32_t vcpu);

/* NULL where it is not known. */
const struct csg_perf_id *csg_perf_attrs_find_id(const struct csg_perf_attrs *attrs, uint64_t id);

/*
 * How many words a record lacks that it would have with PERF_SAMPLE_IDENTIFIER and sample_id_all:
 * in front of a sample's body, at the end of any other record; the last of them is the event's ID.
 * sample is what csg_perf_attrs_sample() made of it.  -1: it belongs to no event.
 */
int csg_perf_attrs_lacks(const struct csg_perf_attrs *attrs, bool is_sample,
			 const struct csg_perf_sample *sample);

/*
 * Reads the fields of the record of len bytes (its header included, len >= 8).  A record that
 * is too short for what its attr says is -CSG_E_CORRUPT.
 */
int csg_perf_attrs_sample(const struct csg_perf_attrs *attrs, const uint8_t *record, size_t len,
			  struct csg_perf_sample *sample);

#endif
