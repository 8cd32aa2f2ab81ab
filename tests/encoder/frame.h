/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The CoreSight formatter (IHI 0029, "Trace formatter"): packs the bytes of several
 * trace sources into 16-byte frames.
 *
 * Bytes 0, 2, ... 14 of a frame hold either data, whose low bit moves into byte 15, or,
 * with bit 0 set, a new trace ID; the matching bit of byte 15 then says whether the
 * byte after it still belongs to the old ID.  ID 0 is padding.  Linux puts a barrier of
 * four full-sync words, one frame long, where a buffer begins a new session.
 */
#ifndef TESTS_ENCODER_FRAME_H
#define TESTS_ENCODER_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "encoder/bytes.h"

struct csg_enc_frames {
	struct csg_enc_bytes out; /* complete frames */
	uint8_t frame[16];
	unsigned at; /* next byte of frame, 0..14 */
	uint8_t id;
	bool holding; /* a byte for an even place waits for what follows it */
	uint8_t held;
};

void csg_enc_frames_fini(struct csg_enc_frames *f);
/* Bytes of the source with that trace ID, 1..0x6f. */
void csg_enc_frames_put(struct csg_enc_frames *f, uint8_t id, const void *data, size_t size);
/* Completes the frame with padding. */
void csg_enc_frames_flush(struct csg_enc_frames *f);
/* Flushes and puts a barrier. */
void csg_enc_frames_barrier(struct csg_enc_frames *f);

/* One source of csg_enc_frames_mix(). */
struct csg_enc_source_bytes {
	uint8_t id;
	const uint8_t *data;
	size_t size;
};

/*
 * Interleaves sources as a funnel does: pieces of 1 to max_piece bytes of one after the
 * other in an order that follows from seed; flushes at the end.
 */
void csg_enc_frames_mix(struct csg_enc_frames *f, const struct csg_enc_source_bytes *sources,
			unsigned count, size_t max_piece, uint64_t seed);

#endif
