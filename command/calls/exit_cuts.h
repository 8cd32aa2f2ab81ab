/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where trace is missing, so that an exit before it and an entry after it are no pair: the vCPU may
 * have been entered and left any number of times in between.
 *
 * A gap on the CPU where the thread of a vCPU runs ends its exit.  So does a gap on any CPU while
 * the thread is off its CPU, as it may have run there.
 *
 * Without VHE the hypervisor's level is not traced, and each crossing of it is a gap, which ends
 * nothing.  What such a gap was is known when execution goes on.  Once a stream had a gap that is
 * no crossing, it is traced in windows; then a crossing may hide the end of one window and the
 * beginning of another, and ends exits as well.
 */
#ifndef COMMAND_CALLS_EXIT_CUTS_H
#define COMMAND_CALLS_EXIT_CUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/element.h"
#include "csguest/recording.h"

struct csg_exit_cuts_stream {
	uint64_t stamp; /* last timestamp; 0: none */
	uint64_t until; /* the first timestamp after the last gap; UINT64_MAX: not there yet */
	bool open;	/* a gap that may be a crossing of the hypervisor's level */
	bool windowed;	/* it had a gap that was none */
	bool began;	/* something ran */
	bool stopped;	/* the chunk does not go on where the one before it ended */
	const struct csg_chunk *chunk;
};

struct csg_exit_cuts {
	struct csg_exit_cuts_stream *streams;
	size_t n;
	bool hyp_untraced; /* gaps may be crossings */
	bool timeless;	   /* there are no timestamps: when a stream begins is not known */
};

/* -CSG_E_NO_MEMORY; _fini is safe even then. */
int csg_exit_cuts_init(struct csg_exit_cuts *cuts, size_t streams, bool hyp_untraced,
		       bool timeless);
void csg_exit_cuts_fini(struct csg_exit_cuts *cuts);

/* What follows is of this chunk, or NULL: where trace was stopped before it, the next gap is no
 * crossing. */
void csg_exit_cuts_chunk(struct csg_exit_cuts *cuts, uint32_t stream,
			 const struct csg_chunk *chunk);

/* A gap on the stream: true: nobody knows what ran there.  False: code alone is missing, or
 * csg_exit_cuts_resumed() will tell. */
bool csg_exit_cuts_gap(struct csg_exit_cuts *cuts, uint32_t stream, enum csg_gap gap);

/*
 * Execution goes on after a gap, or on another stack; hidden: an exception led to a level that is
 * not traced.  True: the gap was not a crossing.
 */
bool csg_exit_cuts_resumed(struct csg_exit_cuts *cuts, uint32_t stream, bool hidden);

/* The time of the stream is this now. */
void csg_exit_cuts_stamp(struct csg_exit_cuts *cuts, uint32_t stream, uint64_t time);

/* The time of the stream, or earlier. */
uint64_t csg_exit_cuts_time(const struct csg_exit_cuts *cuts, uint32_t stream);

/* Whether some stream may have had a gap at that time or later. */
bool csg_exit_cuts_since(const struct csg_exit_cuts *cuts, uint64_t time);

#endif
