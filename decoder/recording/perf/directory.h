/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perf.data as a directory (perf record --kcore, --threads): DIR/data is a perf.data file,
 * DIR/data.0, data.1, ... hold records without a header, one file for each thread that
 * recorded, DIR/kcore_dir what the kernel looked like.
 */
#ifndef DECODER_RECORDING_PERF_DIRECTORY_H
#define DECODER_RECORDING_PERF_DIRECTORY_H

#include <stddef.h>

/* Is path a directory that holds a file of this name?  Or -CSG_E_NO_MEMORY. */
int csg_directory_has(const char *path, const char *name);

/* dir/name; NULL out of memory.  The caller frees it. */
char *csg_directory_join(const char *dir, const char *name);

/*
 * The numbers N of the regular files dir/data.N, in order, in a new array that the caller
 * frees.  Their count, or a negative error.
 */
long csg_directory_parts(const char *dir, unsigned long **parts);

#endif
