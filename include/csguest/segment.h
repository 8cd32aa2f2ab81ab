/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Segments: which owner ran from where on in the trace of one stream.
 */
#ifndef CSGUEST_SEGMENT_H
#define CSGUEST_SEGMENT_H

#include "csguest/context.h"
#include "csguest/owner.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* From index on, up to the index of the next segment, owner ran.  It does not grow. */
struct csg_segment {
	uint64_t index;
	/*
	 * True: in force from the context element with this index on.  False: from the
	 * trace byte at index on, as no context element marks it.
	 */
	bool at_context;
	uint8_t gap; /* enum csg_gap: what is missing right before it, as the track reported */
	/*
	 * With at_context false: the byte at index is a timestamp's, and the segment before it was
	 * divided there, as a guest's thread can only be found between timestamps.  The code is the
	 * same.
	 */
	bool at_time;
	uint64_t lost; /* bytes of the stream that were lost with it, where known by then */
	bool open;     /* EL0 without evidence: csg_attribution_entered() may settle it */
	/*
	 * It begins with a Trace On after which the host's kernel comes back from the hypercall by
	 * which it runs a vCPU, or, under VHE, is entered by a guest's exit: what is not traced is
	 * a guest (CSG_GAP_GUEST).
	 */
	bool guest_ran;
	/*
	 * Raw timestamps: the last one before it begins and the first one after its end, with no
	 * gap in between; 0 where there is none.  Either may be another counter's than the owner's:
	 * while a vCPU is loaded they are the guest's.
	 */
	uint64_t after, before;
	struct csg_context context; /* in force */
	struct csg_owner owner;
};

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
