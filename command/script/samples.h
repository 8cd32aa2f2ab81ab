/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The samples of a whole recording, in the order in which perf script prints them: by the
 * time that the trace gives, over all streams.  Every stream is decoded as far as its next sample
 * needs, so memory depends on the number of streams, not on the length of the trace.
 *
 * With call chains or depths, stacks are followed through all streams at once (csguest/stack.h), by
 * time, so streams cannot be decoded one by one: what they give waits here.  When much waits, the
 * earliest is handed out though another stream has none: that stream's trace is later.
 *
 * Perf merges queues by the same times.  Without timestamps it lists one queue after another
 * and in a queue one AUX record after another, and so does this.
 */
#ifndef COMMAND_SCRIPT_SAMPLES_H
#define COMMAND_SCRIPT_SAMPLES_H

#include "csguest/session.h"
#include "csguest/stack.h"
#include "lookup/lookup.h"
#include "script/sampler.h"
#include "lookup/arrays.h"

struct csg_samples;

/* Where the elements of n streams come from. */
struct csg_samples_source {
	void *arg;
	const struct csg_stream_info *streams;
	size_t n;
	const struct csg_chunk *chunks; /* csg_array_chunks() */
	/* csg_session_next_of() */
	int (*next)(void *arg, uint32_t stream, struct csg_batch *batch);
	/* For call chains (itrace.callchain) and depths; else not used.  joined: as
	 * csg_follower_chain(). */
	const struct csg_lookup *lookup;
	bool joined;
	bool depths; /* branches have csg_sample.depth */
};

/* What times the samples of these streams can show; kind is enum csg_recording_kind. */
enum csg_sampler_clock csg_samples_clock(const struct csg_stream_info *streams, size_t n, int kind,
					 const struct csg_itrace *itrace);

int csg_samples_open(struct csg_samples **samples, const struct csg_samples_source *source,
		     const struct csg_sampler_setup *setup);
void csg_samples_close(struct csg_samples *samples);

/*
 * The next sample with its branch stack, both valid until the next call.  1, 0 at the end, or a
 * negative error; after an error further calls give the samples that were made before it, then 0.
 */
int csg_samples_next(struct csg_samples *samples, const struct csg_sample **sample,
		     const struct csg_sample_branch **branches);

/* The call chain of the sample that csg_samples_next() gave last. */
const struct csg_sample_frame *csg_samples_chain(const struct csg_samples *samples,
						 const struct csg_sample *sample);

/* What the labels of their frames stand for. */
const struct csg_follower *csg_samples_follower(const struct csg_samples *samples);

#endif
