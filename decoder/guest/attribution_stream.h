/* SPDX-License-Identifier: BSD-3-Clause */
/* What this library's own session has of an attribution's stream beside csguest/attribution.h. */
#ifndef DECODER_GUEST_ATTRIBUTION_STREAM_H
#define DECODER_GUEST_ATTRIBUTION_STREAM_H

#include "csguest/attribution.h"

/* Lets go of what is resident of the facts; now and then, from any stream. */
void csg_attribution_trim(const struct csg_attribution_stream *stream);

/*
 * What the stream shows of assumptions counts (csguest/assumption.h): of one of those that look
 * ahead at the same trace it would count twice.  Before its first piece.
 */
void csg_attribution_counts_findings(struct csg_attribution_stream *stream);

/* An ERET led to el n times, first at index, at this host time (ns; 0 unknown). */
struct csg_entries {
	uint64_t eret, index, time, n;
	uint8_t el; /* enum csg_el */
};

/* csg_attribution_learn_entry() of them, to segments of owner. */
void csg_attribution_learn_entries(struct csg_attribution_stream *stream,
				   const struct csg_entries *entries,
				   const struct csg_owner *owner);

#endif
