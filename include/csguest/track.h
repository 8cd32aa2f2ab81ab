/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The context track of one stream: what its packets say without any code being
 * read.  Attribution is settled on it, ahead of the decoding that needs code.
 *
 * Events come in the order of the trace, committed ones only.  An index is the
 * byte offset of the event's packet in the trace of its queue; where OpenCSD reports
 * an element under the index of an earlier packet (a context stated between an
 * exception packet and its address), so does the track.
 */
#ifndef CSGUEST_TRACK_H
#define CSGUEST_TRACK_H

#include <stdint.h>

#include "csguest/context.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum csg_track_kind {
	CSG_TRACK_CONTEXT,   /* context in force from here on, complete: context */
	CSG_TRACK_TRACE_ON,  /* Trace On: what ran in between was not traced; context still holds */
	CSG_TRACK_EXCEPTION, /* number; address is the preferred return address */
	CSG_TRACK_ADDRESS,   /* first address after Trace On, an exception or a context: where to */
	CSG_TRACK_ERET,	     /* Exception Return packet (ETMv4 only) */
	CSG_TRACK_TIMESTAMP, /* value is the raw timestamp */
	CSG_TRACK_GAP,	     /* synchronisation is lost here: gap says why */
	CSG_TRACK_SYNC, /* synchronised again: gap as before, value: bytes of the stream lost */
	/*
	 * The first atom after a TIMESTAMP, with nothing else in between: execution was traced when
	 * that was sent.  Not of a trace unit that speculates (TRCIDR8), whose atoms may be
	 * cancelled.
	 */
	CSG_TRACK_ATOM,
};

/* What happens at a byte of the stream.  It does not grow: new kinds of events use its members. */
struct csg_track_event {
	uint64_t index;
	uint64_t address;
	uint64_t value;
	struct csg_context context; /* in force after the event */
	uint16_t number;	    /* EXCEPTION: TYPE field of the packet */
	uint8_t kind;		    /* enum csg_track_kind */
	uint8_t gap;		    /* GAP, SYNC: enum csg_gap */
	bool has_address;	    /* EXCEPTION: address is valid */
};

/* Takes the events of a track, in order. */
typedef void (*csg_track_fn)(void *arg, const struct csg_track_event *event);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
