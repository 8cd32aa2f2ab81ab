/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From elements to the context track, reading no code: OpenCSD's full decoder is run
 * without memory.  It commits and cancels speculation itself, and answers every question
 * for code with "not accessible": the address it asks for is where execution goes on.
 *
 * For trace that scan/packets.h cannot serve: ETE on OpenCSD before 1.5, which hands out no
 * packets for it, and trace units that speculate.
 */
#ifndef DECODER_SCAN_ELEMENTS_H
#define DECODER_SCAN_ELEMENTS_H

#include <opencsd/c_api/opencsd_c_api.h>

#include "csguest/track.h"
#include "scan/packets.h"

struct csg_elements {
	bool want_address;
	bool has_vctx, has_contextidr; /* what the stream's configuration traces */
	bool no_sync;		       /* waiting for synchronisation since gap_index */
	uint8_t gap;		       /* why: enum csg_gap */
	uint64_t gap_index;
	uint64_t gap_position;
	const struct csg_positions *positions;
	struct csg_context context;
	csg_track_fn out;
	void *arg;
};

void csg_elements_init(struct csg_elements *elements, uint64_t trcconfigr,
		       const struct csg_positions *positions, csg_track_fn out, void *arg);

/* One element, in order; index is what OpenCSD gives with it. */
void csg_elements_feed(struct csg_elements *elements, uint64_t index,
		       const ocsd_generic_trace_elem *element);

/* Decoding begins anew. */
void csg_elements_restart(struct csg_elements *elements);

/* The trace ends: bytes after which nothing was synchronised are a gap. */
void csg_elements_end(struct csg_elements *elements);

/* Why OpenCSD lost synchronisation: its unsync_info_t as enum csg_gap. */
uint8_t csg_gap_of_unsync(unsync_info_t reason);

/* The context that a PE_CONTEXT element states, into *context; what it leaves out stays. */
void csg_context_of_element(const ocsd_generic_trace_elem *element, bool has_contextidr,
			    bool has_vctx, struct csg_context *context);

#endif
