/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Uncommitted elements of a trace unit that speculates (Arm IHI 0064, "Speculation",
 * TRCIDR8.MAXSPEC): P0 elements are traced before it is known whether they were executed; a commit
 * makes the oldest final, a cancel takes back the newest with everything between them but
 * timestamps. The track's events wait here among the P0 elements they belong to.
 *
 * It also stops what a unit never sends and OpenCSD 1.3.3 does not survive, as it walks its stack
 * without looking whether it is empty: commits and cancels of more than there is, and
 * mispredictions that erase an address from the older half of the stack.  And what a unit may send
 * and OpenCSD, 1.8 too, gets wrong: where a source address (ETE) is cancelled it does not count
 * it as the P0 element that it is, and cancels another one.
 */
#ifndef DECODER_SCAN_UNCOMMITTED_H
#define DECODER_SCAN_UNCOMMITTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/track.h"
#include "util/ring.h"

struct csg_uncommitted_entry;

struct csg_uncommitted {
	struct csg_uncommitted_entry *entries; /* oldest first; NULL: no speculation */
	struct csg_ring queue;
	uint32_t max_spec; /* TRCIDR8.MAXSPEC */
	uint32_t depth;	   /* P0 elements */
	uint32_t unseen;   /* of them, from before the trace began */
	/*
	 * As OpenCSD before 1.6.1, which commits and cancels what it has seen in place of what
	 * was before the trace began.  The track must follow the decoder that it runs ahead of.
	 */
	bool forgets_unseen;
	csg_track_fn out;
	void *arg;
};

/* With max_spec 0 nothing is ever uncommitted, and nothing allocated.  0 or -CSG_E_NO_MEMORY. */
int csg_uncommitted_init(struct csg_uncommitted *u, uint32_t max_spec, csg_track_fn out, void *arg);
void csg_uncommitted_fini(struct csg_uncommitted *u);

/* All is forgotten; depth P0 elements are in flight that the trace does not show. */
bool csg_uncommitted_restart(struct csg_uncommitted *u, uint32_t depth);

/* What a packet adds. Each returns false when the packet is bad, in which case all is forgotten. */
bool csg_uncommitted_p0(struct csg_uncommitted *u, uint32_t n, bool atoms);
bool csg_uncommitted_source_address(struct csg_uncommitted *u);
bool csg_uncommitted_address(struct csg_uncommitted *u);
bool csg_uncommitted_other(struct csg_uncommitted *u);

/* An event: at once where nothing is uncommitted, else when what was before it is committed. */
bool csg_uncommitted_event(struct csg_uncommitted *u, const struct csg_track_event *event);

bool csg_uncommitted_commit(struct csg_uncommitted *u, uint32_t n);
bool csg_uncommitted_cancel(struct csg_uncommitted *u, uint32_t n);
bool csg_uncommitted_mispredict(struct csg_uncommitted *u);

/* Overflow, discard: only timestamps survive. */
void csg_uncommitted_discard(struct csg_uncommitted *u);

#endif
