/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether a context packet follows each exception to a higher exception level, as the Arm ARM has
 * it (Context elements: before the first instruction after a change of the exception level).
 *
 * An exception from EL0 leads to a higher level always.  One from EL1 does if its target is a
 * vector for exceptions from a lower level.  If execution goes on at the target and then the next
 * exception or ERET comes, all without a context of a higher level, the packet is missing.  Where
 * the trace stops or is lost in between, or the next exception comes before the first instruction
 * at the target, nothing is shown.
 */
#ifndef DECODER_WORLD_EXCEPTION_CONTEXT_H
#define DECODER_WORLD_EXCEPTION_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "csguest/track.h"

/* All zero: no exception is on its way. */
struct csg_exception_context {
	bool waits, reached; /* for a context; the address of the target was seen */
	bool rises;	     /* the exception leads to a higher level for certain */
	uint8_t from_el;
	uint64_t index;	 /* of the exception */
	uint64_t target; /* if reached */
};

enum csg_context_says {
	CSG_CONTEXT_NOTHING,
	CSG_CONTEXT_FOLLOWS,
	CSG_CONTEXT_MISSING,
};

/*
 * The next event of the track; before: the context in force until it, CSG_EL_UNKNOWN where none is.
 * What it says is of the exception at *index.
 */
enum csg_context_says csg_exception_context_event(struct csg_exception_context *state,
						  const struct csg_track_event *event,
						  const struct csg_context *before,
						  uint64_t *index);

#endif
