/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether a snapshot still holds the cause for which it was taken, or came too late, and by how
 * much.  The trace of the cause's CPU consists of parts without a break in between.
 *
 * A part is dated from its first timestamp of the host's counter on.  Those of a guest's counter
 * before it show how much earlier the part began, at least; nothing else rests on them.
 *
 * A moment is held where it lies after the first timestamp of a part and not after its last one, or
 * the part is the last one.  An exit is held as well where code of its vCPU lies before a timestamp
 * at which it was not over: the vCPU left that code at that exit at the latest.
 *
 * The trace came too late where its first timestamp is later than the cause, unless what lies
 * before that may be older: for an exit code of its vCPU, else a guest, or what no timestamp dates.
 */
#ifndef COMMAND_WATCH_REACH_H
#define COMMAND_WATCH_REACH_H

#include <stdbool.h>
#include <stdint.h>

#include "csguest/session.h"
#include "watch/trigger.h"

/* Timestamps are within 5 us (csguest/session.h), events within 1 us. */
#define CSG_REACH_SLACK 6000

enum csg_reach_verdict {
	CSG_REACH_NO_TRACE, /* of that CPU nothing is dated */
	CSG_REACH_HELD,
	CSG_REACH_LATE,	   /* the trace begins after the cause */
	CSG_REACH_BROKEN,  /* the cause lies in a break */
	CSG_REACH_UNKNOWN, /* the trace may begin before the cause, or after it */
};

struct csg_reach {
	const struct csg_cause *cause;
	uint64_t first; /* when the first part begins; 0: not known */
	/* Of the current part. */
	uint64_t part_first, part_last; /* timestamps; 0: none yet */
	uint64_t guest_first,
		guest_last; /* timestamps of a guest's counter before these; 0: none */
	bool in_guest, in_vcpu,
		undated; /* code of a guest, of the vCPU; timestamps of either counter */
	bool held, broken, unsure;
};

void csg_reach_init(struct csg_reach *reach, const struct csg_cause *cause);

/* The next timestamp of the host's counter in the CPU's stream (host time, ns), or 0: a break. */
void csg_reach_add(struct csg_reach *reach, uint64_t time);

/* The next timestamp is of the host's counter, or of a guest's. */
void csg_reach_add_undated(struct csg_reach *reach);

/*
 * Code of a guest comes next; is_vcpu: its vCPU is the cause's thread.  Or a timestamp of its
 * counter, whose offset is not known: host time plus that offset (ns); 0: code.
 */
void csg_reach_add_guest(struct csg_reach *reach, uint64_t time, bool is_vcpu);

/* After the last one. */
enum csg_reach_verdict csg_reach_end(struct csg_reach *reach);

#endif
