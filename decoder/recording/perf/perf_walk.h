/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Goes over the records of one file or pipe: every one of them once, front to back, past the
 * trace bytes after AUXTRACE records (which, of a pipe, are kept in a spill file).
 * The AUXTRACE index of the file's header is not needed for that, and not believed.
 */
#ifndef DECODER_RECORDING_PERF_PERF_WALK_H
#define DECODER_RECORDING_PERF_PERF_WALK_H

#include "recording/perf/input.h"
#include "recording/perf/perf_records.h"

struct csg_perf_walk {
	struct csg_perf_state *state;
	const struct csg_recording_setup *options; /* or NULL */
	struct csg_input *input;
	uint32_t file; /* of the store: what input reads */
	uint64_t end;  /* of the records, or CSG_INPUT_ENDLESS */
};

/*
 * 0 at the end; -CSG_E_TRUNCATED or _CORRUPT where it had to stop earlier, which has been
 * reported; other errors are of the machine or of what csg_perf_record() refuses.
 */
int csg_perf_walk(struct csg_perf_walk *walk);

#endif
