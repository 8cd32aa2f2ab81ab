/* SPDX-License-Identifier: BSD-3-Clause */
/* What is known while a perf.data is read, and one of its records. */
#ifndef DECODER_RECORDING_PERF_PERF_STATE_H
#define DECODER_RECORDING_PERF_PERF_STATE_H

#include "recording/model/store.h"
#include "recording/perf/aux.h"
#include "recording/perf/etm_metadata.h"
#include "recording/perf/perf_attr.h"
#include "recording/perf/perf_file.h"
#include "recording/perf/trace_ids.h"

/* Everything that is known while a perf.data is read. */
struct csg_perf_state {
	struct csg_recording *rec;
	const char *path; /* of the file being read, for messages */
	struct csg_perf_file file;
	struct csg_perf_attrs attrs;
	struct csg_etm_metadata metadata;
	struct csg_hw_ids hw_ids;
	struct csg_aux aux;
	bool has_info;			/* an AUXTRACE_INFO was seen */
	uint32_t foreign_info;		/* its type, where that is not CoreSight's */
	uint64_t bad_records;		/* of known type, but not as they should be */
	struct csg_perf_section *index; /* AUXTRACE feature: where records say they are */
	size_t n_index, cap_index;
	uint64_t n_ids; /* read from the IDs' sections of the header */
	uint32_t input; /* of the store: the file that is being read */
	bool in_place;	/* records lie in it at their offset: neither piped nor compressed */
	/* of the store: where trace is kept that does not; 0: none yet (that is the input's) */
	int spill;
	const char *tmpdir; /* for it, or NULL */
};

/* A record being taken in. */
struct csg_perf_raw {
	const uint8_t *bytes;
	size_t len;  /* all of it */
	size_t body; /* without its struct sample_id */
	uint32_t type;
	uint16_t misc;
	uint64_t offset;
	struct csg_perf_sample sample; /* records of the kernel only */
};

/* Who takes in records of a type. */
struct csg_perf_handler {
	uint32_t type;
	size_t least; /* bytes a record must have before its struct sample_id */
	int (*take)(struct csg_perf_state *state, const struct csg_perf_raw *record);
};

/* The text at `at`, up to the end of the record's body or a 0; NULL out of memory. */
const char *csg_perf_text(struct csg_perf_state *state, const struct csg_perf_raw *record,
			  size_t at);

/* The file of the store that keeps trace which cannot be read again where it was; or an error,
 * reported. */
int csg_perf_spill_file(struct csg_perf_state *state);

/* Keeps bytes there; *at: where they lie.  The file's number, or an error, reported. */
int csg_perf_spill(struct csg_perf_state *state, const uint8_t *bytes, size_t len, uint64_t *at);

void csg_perf_state_fini(struct csg_perf_state *state);

#endif
