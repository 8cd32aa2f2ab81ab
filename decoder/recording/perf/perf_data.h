/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a whole perf.data: a file, a pipe or a directory of files. */
#ifndef DECODER_RECORDING_PERF_PERF_DATA_H
#define DECODER_RECORDING_PERF_PERF_DATA_H

#include "recording/model/store.h"

/*
 * Fills rec, which is empty but for its sink, from path ("-" is standard input; a directory
 * holds a file "data").  As csg_recording_load() has it.
 */
int csg_perf_data_open(struct csg_recording *rec, const char *path,
		       const struct csg_recording_setup *options);

#endif
