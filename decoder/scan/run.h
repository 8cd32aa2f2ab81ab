/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A run: bytes of one trace ID, one after another in its stream.  In the trace they lie next to
 * each other, or in formatter frames that hold nothing else (Arm IHI 0029): then the last byte of
 * each frame, its flags, is not among them, and indexes go on by one more there.
 */
#ifndef DECODER_SCAN_RUN_H
#define DECODER_SCAN_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CSG_FRAME_SIZE 16
#define CSG_FRAME_DATA 15 /* bytes of it before its flags */

struct csg_run {
	uint64_t index; /* of its first byte in the queue */
	const uint8_t *bytes;
	size_t n;      /* 0 for a reset */
	uint8_t frame; /* in frames: how many bytes before the first one's flags; else 0 */
	bool reset;    /* the buffer has a break here: forget all state */
};

/* A pointer to one of bytes that lie next to each other. */
#define CSG_RUN(at, data, size) (&(struct csg_run){.index = (at), .bytes = (data), .n = (size)})

/* Bytes of the frame that its first byte lies in which were before that. */
static inline size_t csg_run_phase(const struct csg_run *run)
{
	return CSG_FRAME_DATA - (size_t)run->frame;
}

/* The index of its byte at place, of what is after it if place is n. */
static inline uint64_t csg_run_index(const struct csg_run *run, size_t place)
{
	uint64_t index = run->index + place;

	return run->frame ? index + (csg_run_phase(run) + place) / CSG_FRAME_DATA : index;
}

/* How many of its bytes lie before index, which does not lie before the run. */
static inline size_t csg_run_before(const struct csg_run *run, uint64_t index)
{
	size_t place = index - run->index;

	if (index - run->index > 2 * (uint64_t)run->n + 1)
		return run->n;
	if (run->frame)
		place -= (csg_run_phase(run) + place) / CSG_FRAME_SIZE;
	return place < run->n ? place : run->n;
}

/* n of its bytes from place on. */
static inline struct csg_run csg_run_part(const struct csg_run *run, size_t place, size_t n)
{
	struct csg_run part = {
		.index = csg_run_index(run, place), .bytes = run->bytes + place, .n = n};

	if (run->frame)
		part.frame =
			(uint8_t)(CSG_FRAME_DATA - (csg_run_phase(run) + place) % CSG_FRAME_DATA);
	return part;
}

/* Whether next is its continuation: both are one run. */
static inline bool csg_run_goes_on(const struct csg_run *run, const struct csg_run *next)
{
	return !run->frame == !next->frame && csg_run_index(run, run->n) == next->index &&
	       csg_run_part(run, run->n, 0).frame == next->frame;
}

#endif
