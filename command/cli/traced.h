/* SPDX-License-Identifier: BSD-3-Clause */
/* Traced time of what a command decodes (timeline/traced.h). */
#ifndef COMMAND_CLI_TRACED_H
#define COMMAND_CLI_TRACED_H

#include "cli/decode.h"
#include "report/windows.h"
#include "summary/cpu_time.h"
#include "timeline/slices.h"
#include "timeline/traced.h"

/* Windows of all streams of what a command decodes (report/windows.h); all zero before. */
struct csg_window_run {
	struct csg_lookup lookup;
	struct csg_windows windows;
	struct csg_window_so_far *begun; /* of each stream; NULL: there are no times */
	size_t streams;
};

/* decode is open.  -CSG_E_NO_MEMORY; csg_window_run_close() is safe even then. */
int csg_window_run_open(struct csg_window_run *run, struct csg_decode *decode);
void csg_window_run_close(struct csg_window_run *run);

/* The next batch: those of a stream in order. */
void csg_window_run_batch(struct csg_window_run *run, const struct csg_batch *batch);

/*
 * All streams are over.  True: timestamps do not tell when windows begin and end, and *share gets
 * the estimate of their share of all time, in ns; 0: not even that is known.
 */
bool csg_window_run_end(struct csg_window_run *run, uint64_t all, double *share);

/* All zero before; where the trace tells no perf time, nothing is added up. */
struct csg_traced_run {
	struct csg_session *session;
	struct csg_slices *slices; /* NULL: there are no times */
	struct csg_traced sums;
	struct csg_cpu_time *time; /* gets all slices; NULL: nothing does */
	struct csg_window_run windows;
	uint32_t stream; /* of the last batch */
};

/* decode is open.  -CSG_E_NO_MEMORY; csg_traced_close() is safe even then. */
int csg_traced_open(struct csg_traced_run *run, struct csg_decode *decode);
void csg_traced_close(struct csg_traced_run *run);

/* The next batch: those of a stream in order. */
int csg_traced_batch(struct csg_traced_run *run, const struct csg_batch *batch);

/* A stream is over, or all are. */
int csg_traced_end_stream(struct csg_traced_run *run, uint32_t stream);
int csg_traced_end(struct csg_traced_run *run);

#endif
