/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * When samples happened.  The trace has a timestamp now and then; what ran in between is dated by
 * counting instructions at 10 per nanosecond, as perf's cs-etm-decoder.c does
 * (cs_etm_decoder__do_hard_timestamp() and _do_soft_timestamp()), so that the times are the same:
 *
 * - A timestamp comes after the ranges it dates.  The first one since tracing began, or since
 *   the context changed, is therefore carried back to the ranges before it, which wait for it.
 * - Further ones are where the ranges after them begin: what was the next timestamp becomes the
 *   time now, and now never passes the next one.
 *
 * Timestamps are in whatever unit the caller chooses, perf time or the raw counter.
 */
#ifndef COMMAND_SCRIPT_SAMPLE_TIME_H
#define COMMAND_SCRIPT_SAMPLE_TIME_H

#include <stdbool.h>
#include <stdint.h>

struct csg_sample_time {
	uint64_t now;	       /* of the ranges that were dated last; 0 before the first */
	uint64_t next;	       /* the last timestamp seen; 0: ranges wait for one */
	uint32_t instructions; /* since, that made up no whole nanosecond; or that wait */
};

/* A timestamp (0: the trace unit did not know).  True: ranges that waited happened at ->now. */
bool csg_sample_time_stamp(struct csg_sample_time *time, uint64_t timestamp);

/* n instructions ran.  True: they happened at ->now; false: they wait for a timestamp. */
bool csg_sample_time_run(struct csg_sample_time *time, uint32_t n);

/* The trace was interrupted, or the context changed. */
void csg_sample_time_reset(struct csg_sample_time *time);

#endif
