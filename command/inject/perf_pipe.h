/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A perf.data that was written (inject/perf_output.h) goes out as perf's pipe format, which perf
 * reads from its standard input ("-i -"; tools/perf/Documentation/perf.data-file-format.txt, "Pipe
 * mode"): a header of 16 bytes, and what sections hold as records before all others:
 *
 *	HEADER_ATTR           each attr with its IDs
 *	HEADER_FEATURE        each feature, but for those that have records of their own:
 *	HEADER_TRACING_DATA   ... with the data after it
 *	HEADER_BUILD_ID       ... one for each file
 *
 * As IDs are known when all is written, nothing can go out before.
 */
#ifndef COMMAND_INJECT_PERF_PIPE_H
#define COMMAND_INJECT_PERF_PIPE_H

#include "inject/perf_output.h"
#include "inject/perf_parts.h"

/*
 * Writes to `to` the sections, then the records: `size` bytes of the file `from`, from `at` on.
 * 0, -CSG_E_NO_MEMORY, or -CSG_E_IO with to->error.  *left: features that are too long for a record
 * and were left out.
 */
int csg_perf_pipe_write(struct csg_perf_output *to, const struct csg_perf_output_sections *sections,
			int from, uint64_t at, uint64_t size, size_t *left);

#endif
