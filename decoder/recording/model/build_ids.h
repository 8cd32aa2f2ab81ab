/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Build IDs by file name: perf.data's HEADER_BUILD_ID feature (a pipe's
 * PERF_RECORD_HEADER_BUILD_ID), which perf record writes at the end for the files that
 * were hit.  Mappings whose record holds no build ID take theirs from here.
 */
#ifndef DECODER_RECORDING_MODEL_BUILD_IDS_H
#define DECODER_RECORDING_MODEL_BUILD_IDS_H

#include <stddef.h>
#include <stdint.h>

#include "recording/model/model.h"
#include "util/strings.h"

struct csg_build_id {
	const char *path;    /* interned: compared as a pointer */
	int32_t machine_pid; /* 0: host */
	uint8_t size;
	uint8_t bytes[20];
};

/* Zero-filled it is empty and ready for use. */
struct csg_build_ids {
	struct csg_build_id *ids;
	size_t n, cap;
	bool sorted;
};

void csg_build_ids_fini(struct csg_build_ids *ids);

/*
 * Adds the entry in record, a whole struct perf_record_header_build_id of len bytes: u32 type,
 * u16 misc, u16 size, s32 pid, u8 build_id[20], u8 size, 3 reserved, the name.  The size is
 * valid where misc has PERF_RECORD_MISC_BUILD_ID_SIZE; without it, it is 20, or 16 where the
 * last four bytes are 0.  Entries that hold nothing are
 * passed over.  0 or -CSG_E_CORRUPT, -CSG_E_NO_MEMORY.
 */
int csg_build_ids_add_record(struct csg_build_ids *ids, struct csg_strings *strings,
			     const uint8_t *record, size_t len);

/* Sorts them, after the last one has been added. */
void csg_build_ids_sort(struct csg_build_ids *ids);

/* Gives map its build ID where it has none and its path (interned in strings) is known. */
void csg_build_ids_apply(const struct csg_build_ids *ids, const struct csg_strings *strings,
			 int32_t machine_pid, struct csg_mapping *map);

#endif
