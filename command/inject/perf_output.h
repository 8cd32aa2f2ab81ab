/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A perf.data file being written, in one go: first the records, one after the other; then the
 * sections (inject/perf_sections.h).  Memory does not depend on what is written.
 *
 * The caller opens and closes the file.  To a pipe nothing is written until all is known
 * (inject/perf_pipe.h): until then it is a temporary file.
 */
#ifndef COMMAND_INJECT_PERF_OUTPUT_H
#define COMMAND_INJECT_PERF_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct csg_perf_output {
	int fd;
	int pipe; /* where a finished file goes out as a pipe; -1: it stays a file */
	uint8_t *buffer;
	size_t used;
	uint64_t position; /* of the next byte */
	int error;	   /* errno of the first failure; nothing is written after it */
	size_t left;	   /* features that do not fit into a pipe's records */
	bool own;	   /* fd is a temporary file, to be closed */
};

/* Begins a file in fd, which is empty, can be sought in and stays open.  0 or -CSG_E_NO_MEMORY. */
int csg_perf_output_open(struct csg_perf_output *output, int fd);

/* The same for a pipe, or whatever else is open as descriptor pipe, which stays open; -CSG_E_IO
 * with output->error where there is no room for the temporary file. */
int csg_perf_output_open_pipe(struct csg_perf_output *output, int pipe);

/* Writes to a descriptor that is open, and stays so.  Nothing but _record, _copy, _flush and _close
 * may follow. */
int csg_perf_output_open_raw(struct csg_perf_output *output, int fd);

/* size bytes of another file. */
void csg_perf_output_copy(struct csg_perf_output *output, int fd, uint64_t at, uint64_t size);
void csg_perf_output_flush(struct csg_perf_output *output);

/* len bytes, of anything. */
void csg_perf_output_put(struct csg_perf_output *output, const void *bytes, size_t len);

/* One whole record. */
void csg_perf_output_record(struct csg_perf_output *output, const uint8_t *record, size_t len);

/* Drops what was not written yet; the temporary file is closed, others stay open. */
void csg_perf_output_close(struct csg_perf_output *output);

#endif
