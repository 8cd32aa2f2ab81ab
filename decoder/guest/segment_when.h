/* SPDX-License-Identifier: BSD-3-Clause */
/* When and where a segment of a stream ran, for those who complete its owner. */
#ifndef DECODER_GUEST_SEGMENT_WHEN_H
#define DECODER_GUEST_SEGMENT_WHEN_H

#include "guest/attribution_state.h"
#include "guest/facts/when.h"

struct csg_when csg_segment_when(struct csg_attribution_stream *s,
				 const struct csg_pending_item *item);

/* Notes by which register the host's threads are named in this piece of trace. */
void csg_segment_note_id(struct csg_attribution_stream *s, const struct csg_owner *owner);

/* Whether timestamps that follow may still settle a time that the segment's owner depends on. */
bool csg_segment_must_wait(struct csg_attribution_stream *s, const struct csg_pending_item *item);

#endif
