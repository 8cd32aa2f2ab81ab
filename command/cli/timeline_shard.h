/* SPDX-License-Identifier: BSD-3-Clause */
/* The result of a shard of csguest timeline --totals (shard/timeline_pack.h). */
#ifndef COMMAND_CLI_TIMELINE_SHARD_H
#define COMMAND_CLI_TIMELINE_SHARD_H

#include "cli/decode.h"
#include "timeline/timeline_print.h"
#include "waits/halts.h"

/* Whether switch records tell the states of vCPUs, and what is printed has them. */
bool csg_timeline_has_states(const struct csg_decode *decode,
			     const struct csg_timeline_print *print);

/* All of the shard was decoded, of which rows are the sums and span is the time of all slices. */
int csg_timeline_shard_write(struct csg_decode *decode, const struct csg_timeline *rows,
			     const struct csg_timeline_print *print,
			     const struct csg_slice_window *span, const struct csg_halts *halts);

#endif
