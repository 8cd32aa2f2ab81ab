/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of a sampler (script/sampler.h), which its parts share. */
#ifndef COMMAND_SCRIPT_SAMPLER_STATE_H
#define COMMAND_SCRIPT_SAMPLER_STATE_H

#include "script/last_branches.h"
#include "script/range_walk.h"
#include "script/sample_queue.h"
#include "script/sample_time.h"
#include "script/sampler_setup.h"

/* The range before, or the point where tracing was interrupted. */
struct csg_sampled_before {
	bool range; /* else an interruption */
	bool taken; /* its last instruction went elsewhere */
	uint64_t last, end;
	uint32_t flags, owner, depth;
	uint8_t el, isa, last_size;
	uint64_t when, since; /* as csg_sampler_place has them */
};

struct csg_sampler {
	struct csg_sampler_setup setup;
	uint32_t stream;
	int32_t cpu;

	struct csg_sample_queue queue;
	struct csg_sample_time time;
	unsigned int waiting; /* elements since the last that was dated */
	uint64_t when, since, record, piece;

	struct csg_sampled_before before;
	bool ended;	 /* the piece of trace is over; what comes next is another one */
	uint64_t period; /* instructions since the last sample */

	bool paused;		    /* in the middle of a range: */
	uint64_t offset;	    /* instructions of it up to the next sample */
	struct csg_range_walk walk; /* where its instructions lie */

	struct csg_last_branches last_branches;
};

#endif
