/* SPDX-License-Identifier: BSD-3-Clause */
/* csguest report --scale: what is decoded, window by window. */
#ifndef COMMAND_CLI_REPORT_WINDOWS_H
#define COMMAND_CLI_REPORT_WINDOWS_H

#include "cli/decode_state.h"
#include "report/estimate.h"
#include "report/report.h"

struct csg_report_windows {
	struct csg_windows windows;
	struct csg_decode *decode;
	struct csg_report *report;
	/* Adds a part of a batch, which lies in one window, to the report. */
	int (*add)(void *arg, const struct csg_batch *part);
	void *arg;
	uint64_t streams; /* so far */
	uint32_t stream;  /* the last one */
};

/* Nothing was added to the report yet; branches: what is estimated is theirs. */
void csg_report_windows_begin(struct csg_report_windows *w, struct csg_decode *decode,
			      const struct csg_lookup *lookup, struct csg_report *report,
			      bool branches);

/* The next batch: those of a stream in order. */
int csg_report_windows_add(struct csg_report_windows *w, const struct csg_batch *batch);

/* No more will come. */
int csg_report_windows_end(struct csg_report_windows *w);

/* After the end; time: of all CPUs, ns, 0: not known. */
struct csg_estimate csg_report_windows_estimate(const struct csg_report_windows *w, uint64_t time);

#endif
