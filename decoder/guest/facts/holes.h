/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The holes that contradictory records leave in the host's on-CPU intervals
 * (guest/facts/residency.h), while the trace of their CPU is read.
 *
 * Where the trace's own context IDs name the thread, no owner rests on records.  So a contradiction
 * is reported from the first to the last part of its hole that the trace leaves open, and where it
 * leaves none open, at the time of the record alone.  Trace that has not been read yet leaves open
 * all that lies in its time.
 *
 * A record that names another process of a thread that is there is no such hole: context IDs are of
 * threads.
 */
#ifndef DECODER_GUEST_FACTS_HOLES_H
#define DECODER_GUEST_FACTS_HOLES_H

#include "base/contradictions.h"
#include "guest/facts/residency.h"

struct csg_hole {
	int32_t cpu;
	uint64_t time;			/* of the record that contradicts another one, ns */
	uint64_t from, until;		/* as a struct csg_residency_taint has them */
	uint64_t open_from, open_until; /* what the trace left open so far; from > until: nothing */
};

/* All zero: none. */
struct csg_holes {
	struct csg_hole *holes; /* sorted by CPU and time */
	size_t count;
	uint64_t *read; /* up to when the trace of each CPU was read */
	size_t cpus;
};

void csg_holes_fini(struct csg_holes *holes);

/* Of settled residency, in place of what there was.  0 or -CSG_E_NO_MEMORY. */
int csg_holes_make(struct csg_holes *holes, const struct csg_residency *residency);

/* A part of the trace of a CPU, in ns of the host. */
struct csg_hole_part {
	int32_t cpu;
	uint64_t from, until; /* it ran in between */
	uint64_t ended;	      /* it had not ended before; 0 unknown */
	bool named;	      /* its context ID names the host's thread */
	bool last; /* of its piece, as far as is known: no trace follows that continues it */
};

/* The next part, in the order of the trace.  Narrows contradictions that were listed. */
void csg_holes_read(struct csg_holes *holes, const struct csg_hole_part *part,
		    struct csg_contradictions *contradictions);

#endif
