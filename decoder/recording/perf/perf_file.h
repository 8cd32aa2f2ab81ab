/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The header of a perf.data file (tools/perf/util/header.h, struct perf_file_header):
 *
 *	u64 magic "PERFILE2", u64 size (104; a pipe: 16 and nothing more)
 *	u64 attr_size: of an entry of the attrs section, perf_event_attr and {u64 offset, size}
 *	sections {u64 offset, u64 size}: attrs, data, event_types (ignored)
 *	256 bits: which features follow the data section, each as a section, in order
 *
 * A section that a file claims is never trusted to lie in it.
 */
#ifndef DECODER_RECORDING_PERF_PERF_FILE_H
#define DECODER_RECORDING_PERF_PERF_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "csguest/diag.h"
#include "files/perf_format.h"
#include "recording/perf/input.h"

struct csg_perf_section {
	uint64_t offset, size;
};

struct csg_perf_file {
	bool pipe;	 /* pipe format: attrs and features come as records */
	bool unfinished; /* data section has no size: perf record was killed */
	uint64_t attr_size;
	struct csg_perf_section attrs, data;
	/* size of the data section as the file says; data.size is what is there */
	uint64_t data_claimed;
	uint64_t features[CSG_PERF_FEATURES / 64];
};

/*
 * Reads the header at input's position and goes after it.  Refuses what is no perf.data
 * (-CSG_E_BAD_MAGIC), of foreign endianness, or so old that nobody has traced with it.
 */
int csg_perf_file_read(struct csg_perf_file *file, struct csg_input *input, const char *path,
		       const struct csg_diag_sink *sink);

bool csg_perf_file_has(const struct csg_perf_file *file, unsigned int feature);

#endif
