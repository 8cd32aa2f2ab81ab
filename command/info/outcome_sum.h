/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a decoding command tells when it is done (cli/outcome.h), as numbers and texts alone: what
 * is printed of it, and the exit status. Those of several shards of a recording, or of several
 * recordings, add up (shard/outcome_pack.h).
 */
#ifndef COMMAND_INFO_OUTCOME_SUM_H
#define COMMAND_INFO_OUTCOME_SUM_H

#include "csguest/contradiction.h"
#include "csguest/session.h"
#include "info/info_advice.h"
#include "text/out.h"

/* What came with one owner. */
struct csg_outcome_owner {
	uint64_t instructions;
	uint64_t unread; /* places whose code was not read: gaps NO_CODE, NO_OWNER */
};

struct csg_outcome_stream {
	uint64_t bytes; /* of trace that were decoded */
	uint32_t queue;
	bool declined;
	bool ordered; /* by timestamps; or nothing orders it beside others anyway */
};

/* Advice, and what each would mend: sets of enum csg_open.  Texts are the library's or a file's. */
struct csg_outcome_advices {
	struct csg_advice at[CSG_ADVICE_MAX];
	uint32_t mends[CSG_ADVICE_MAX];
	size_t n;
};

struct csg_outcome_sum {
	uint64_t instructions, ranges, timestamps, zero_timestamps, bytes_lost;
	uint64_t gaps[64];				       /* by enum csg_gap */
	struct csg_outcome_owner unknown[2][CSG_REASON_COUNT]; /* threads, worlds */
	uint32_t open; /* set of enum csg_open, but for CSG_OPEN_ORDER, which streams show */
	struct csg_outcome_advices advice[2]; /* [1]: all timestamps are 0 */
	struct csg_outcome_stream *streams;
	size_t stream_count, stream_capacity;
	struct csg_contradiction *contradictions;
	size_t contradiction_count, contradiction_capacity;
	uint64_t contradiction_total;
	struct csg_missing *missing; /* texts are the session's or a file's */
	size_t missing_count, missing_capacity;
};

void csg_outcome_sum_fini(struct csg_outcome_sum *sum);

/* Whether a stream says in which order it ran with others: by timestamps, or they are not
 * expected. */
bool csg_outcome_is_ordered(struct csg_session *session, const struct csg_stream_info *stream);

/* Its streams alone.  -CSG_E_NO_MEMORY. */
int csg_outcome_sum_streams(struct csg_outcome_sum *sum, struct csg_session *session);

/* One more file is missing.  -CSG_E_NO_MEMORY. */
int csg_outcome_sum_miss(struct csg_outcome_sum *sum, const struct csg_missing *missing);

/*
 * How many CPUs' trace has no timestamps where several CPUs were traced: their order is then that
 * of their AUX records.  One CPU, or one thread, is in order without.  A snapshot's files tell no
 * order between them either way.
 */
size_t csg_outcome_sum_untimed(const struct csg_outcome_sum *sum);

/*
 * Prints it, each line with "csguest: " in front; 0, or the error that the losses amount to:
 * -CSG_E_TRUNCATED, _DECODE, _BUILD_ID, _NO_IMAGE, _NO_TIMESTAMPS.
 */
void csg_outcome_sum_print(const struct csg_outcome_sum *sum, struct csg_out *out);
int csg_outcome_sum_error(const struct csg_outcome_sum *sum, bool strict);

/*
 * The same of parts, without memory: a file of another build was refused; missing code is an error;
 * CPUs have no timestamps.
 */
int csg_outcome_error_of(const uint64_t *gaps, bool other_build, bool no_code, bool untimed);

#endif
