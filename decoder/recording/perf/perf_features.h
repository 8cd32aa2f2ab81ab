/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Features of a perf.data (HEADER_* of tools/perf/util/header.h): in a file, sections after
 * the data section, listed by a table of {u64 offset, u64 size} in the order of their bits;
 * in a pipe, PERF_RECORD_HEADER_FEATURE.  Strings are u32 length, then that many bytes with
 * a 0 among them.
 */
#ifndef DECODER_RECORDING_PERF_PERF_FEATURES_H
#define DECODER_RECORDING_PERF_PERF_FEATURES_H

#include "recording/perf/perf_state.h"

/*
 * Takes in one feature of len bytes; those that nobody needs are passed over.  A feature that
 * is not as it should be is -CSG_E_CORRUPT and leaves out what it says from there on.
 */
int csg_perf_feature_read(struct csg_perf_state *state, unsigned int feature, const uint8_t *bytes,
			  size_t len, uint64_t offset);

/* Reads the features of a file; what is damaged is reported and left out.  0 or out of memory. */
int csg_perf_features_read(struct csg_perf_state *state, struct csg_input *input);

/* Reads the attrs section with its IDs. */
int csg_perf_attrs_section(struct csg_perf_state *state, struct csg_input *input);

#endif
