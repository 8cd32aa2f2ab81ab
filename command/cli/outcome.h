/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a decoding command tells on standard error when it is done: how much was decoded, how much
 * of it has an unknown owner and why, what is missing in the trace by kind, where sources
 * contradict each other, which files would have been needed, and what else the recording lacks that
 * would have shown more, with the remedy.
 */
#ifndef COMMAND_CLI_OUTCOME_H
#define COMMAND_CLI_OUTCOME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/session.h"
#include "info/outcome_sum.h"

struct csg_outcome {
	struct csg_outcome_owner *by_owner; /* by owner number below n */
	size_t n;
	uint64_t ranges;
	uint64_t timestamps, zero_timestamps;
	uint64_t first, last; /* times of batches, ns; 0: none is known */
	/* With --time, where it is known: whether an owner, by number below timely_n, ran then. */
	bool is_timely, *timely;
	size_t timely_n;
};

/* Counts a batch.  -CSG_E_NO_MEMORY. */
int csg_outcome_add(struct csg_outcome *outcome, const struct csg_batch *batch);
/* The batch ran in the time of --time, or (in_time false) not.  -CSG_E_NO_MEMORY. */
int csg_outcome_add_time(struct csg_outcome *outcome, const struct csg_batch *batch, bool in_time);
void csg_outcome_fini(struct csg_outcome *outcome);

/* All of it but the session.  -CSG_E_NO_MEMORY; csg_outcome_sum_fini() is safe even then. */
int csg_outcome_sum_make(struct csg_outcome_sum *sum, const struct csg_outcome *outcome,
			 struct csg_session *session);

/* All instructions that were counted. */
uint64_t csg_outcome_instructions(const struct csg_outcome *outcome);

/* Prints it, each line with "csguest: " in front.  0 or -CSG_E_NO_MEMORY. */
int csg_outcome_print(const struct csg_outcome *outcome, struct csg_session *session,
		      struct csg_out *out);

/*
 * What is unknown, by reason: world: of those whose world is unknown, else of those of whom only
 * the thread is.
 */
void csg_outcome_reasons(const struct csg_outcome *outcome, struct csg_session *session, bool world,
			 struct csg_outcome_owner sums[CSG_REASON_COUNT]);

/* Advice for what is unknown or lost, as csg_info_advise(). */
size_t csg_outcome_advise(const struct csg_outcome *outcome, struct csg_session *session,
			  struct csg_advice advice[CSG_ADVICE_MAX]);

/* 0, or the error that the losses amount to: -CSG_E_TRUNCATED, _DECODE, _BUILD_ID, _NO_IMAGE,
 * _NO_TIMESTAMPS. */
int csg_outcome_error(const struct csg_outcome *outcome, struct csg_session *session, bool strict);

#endif
