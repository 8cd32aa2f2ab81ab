/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Demultiplexer: picks the bytes of one CoreSight trace ID out of formatter frames
 * (Arm IHI 0029, "Formatter and frame format": 16 bytes, of which 15 carry data or IDs).
 *
 * Each stream has one of its own, so that streams can be decoded apart from each other;
 * frames that hold nothing of its ID cost a few cycles.  Runs carry the index that
 * OpenCSD's own deformatter would give them, so positions agree with trc_pkt_lister.
 * A frame of four full syncs (0x7fffffff), with which drivers mark a break in a
 * buffer, resets the stream.
 */
#ifndef DECODER_SCAN_DEMUX_H
#define DECODER_SCAN_DEMUX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "recording/recording.h"
#include "scan/run.h"

#define CSG_FRAME_RUNS 8 /* a frame has at most 8 changes of ID */

#define CSG_JOINED_FRAMES 64 /* in one run, at most */

struct csg_demux {
	enum csg_framing framing;
	uint8_t want;	 /* trace ID */
	uint8_t current; /* ID in force, carried from frame to frame */
	uint8_t unnamed; /* ID in force before the first ID byte; 0xff: nobody's */
	bool joins;	 /* frames of nothing else are one run; else runs lie within a frame */

	const uint8_t *in; /* input not looked at yet */
	size_t in_len;
	uint64_t in_index;

	bool synced;	      /* TPIU: a full sync was seen */
	uint32_t last_bytes;  /* TPIU: the last four bytes, while searching for it */
	bool half;	      /* TPIU: first byte of a pair is held in first */
	bool full_sync_begun; /* TPIU: the first pair of a full sync was seen */
	uint8_t first;
	uint8_t frame
		[CSG_FRAME_SIZE]; /* TPIU and input cut inside a frame: frame being collected */
	size_t frame_len;
	uint64_t frame_index;

	/* The runs of the frames taken apart last; a frame is written whole. */
	uint8_t data[CSG_JOINED_FRAMES * CSG_FRAME_DATA + 1];
	struct csg_run runs[CSG_FRAME_RUNS];
	unsigned int run_count, run_next;

	uint64_t
		nobodys; /* bytes that came before the first ID, if those are nobody's; not zeros */
	uint64_t nobodys_at; /* index of the newest frame with such bytes */
	const uint64_t *ids; /* of all sources of the buffer, a bit each; NULL: unclaimed is 0 */
	uint64_t unclaimed;  /* bytes of other IDs, none of which is reserved; not zeros */
	uint64_t bad_bytes;  /* bytes that belong to no frame: before a sync, malformed syncs */
};

void csg_demux_init(struct csg_demux *demux, enum csg_framing framing, uint8_t trace_id);

/*
 * The same for a source: where no other one sends to its sink (csg_source.alone), what comes before
 * the first ID is its.
 */
void csg_demux_begin(struct csg_demux *demux, enum csg_framing framing,
		     const struct csg_source *source);

/* What comes before the first ID is the wanted ID's.  Right after csg_demux_init(). */
void csg_demux_take_unnamed(struct csg_demux *demux);

/* Begins a piece of trace recorded without a break; all state is forgotten. */
void csg_demux_restart(struct csg_demux *demux);

/* Gives the next bytes, which stay the caller's until csg_demux_next() returns false. */
void csg_demux_input(struct csg_demux *demux, uint64_t index, const uint8_t *bytes, size_t n);

/* The next run of the wanted ID; false when the input is used up. Valid until the next call. */
bool csg_demux_next(struct csg_demux *demux, struct csg_run *run);

#endif
