/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a decoding command tells on standard error when it is done: how much was decoded, how much of
 * it has an unknown owner and why, what is missing in the trace by kind, where sources contradict each
 * other, which files would have been
 * needed, and what else the recording lacks that would have told more, with the remedy.
 */
#ifndef COMMAND_CLI_SUMMARY_H
#define COMMAND_CLI_SUMMARY_H

#include <stddef.h>
#include <stdint.h>

#include "csguest/session.h"
#include "text/out.h"

/* What came with one owner. */
struct csg_summary_owner {
	uint64_t instructions;
	uint64_t unread; /* places whose code was not read: gaps NO_CODE, NO_OWNER */
};

struct csg_summary {
	struct csg_summary_owner *by_owner; /* by owner number below n */
	size_t n;
	uint64_t ranges;
	uint64_t timestamps, zero_timestamps;
};

/* Counts a batch.  -CSG_E_NO_MEMORY. */
int csg_summary_add(struct csg_summary *summary, const struct csg_batch *batch);
void csg_summary_fini(struct csg_summary *summary);

/* Prints it, each line with "csguest: " in front. */
void csg_summary_print(const struct csg_summary *summary, struct csg_session *session,
		       struct csg_out *out);

/* 0, or the error that the losses amount to: -CSG_E_TRUNCATED, _DECODE, _BUILD_ID, _NO_IMAGE,
 * _NO_TIMESTAMPS. */
int csg_summary_error(struct csg_session *session);

#endif
