/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts by place and code, both small numbers.  Codes are numbered in the order in which they are
 * first executed, so what runs together has numbers that follow each other: for each place there is
 * a list of chunks, each with the counts of this many codes, and chunks only of code that the place
 * has executed.  A count is two array accesses away, nothing is compared, and nothing collides.
 *
 * Memory is bounded: this many chunks are in use at most, and of this many codes in a row, the
 * window.  Who wants more takes out what was counted and empties it.  Chunks that were used once
 * are used again.
 */
#ifndef COMMAND_REPORT_CODE_CHUNKS_H
#define COMMAND_REPORT_CODE_CHUNKS_H

#include <stddef.h>
#include <stdint.h>

#define CSG_CHUNK_CODES 64 /* a chunk is 512 bytes */
#define CSG_CHUNK_WINDOW                                                                           \
	(1u << 20) /* codes: twice as many as are known at a time (flow/core/blocks.c) */
#define CSG_CODE_CHUNKS_MAX (1u << 15) /* 16 MB */

struct csg_code_count {
	uint32_t executions, taken; /* 0, 0: never */
};

struct csg_code_chunk {
	struct csg_code_count counts[CSG_CHUNK_CODES];
};

/* What has no chunk counts nothing: all of it are this one, which nobody writes to. */
extern const struct csg_code_chunk csg_code_chunk_none;

struct csg_code_place {
	struct csg_code_chunk **chunks; /* of the window, from its first on */
	size_t n;
};

/* A chunk that is in use. */
struct csg_code_use {
	uint32_t place, chunk; /* chunk: in the window */
};

struct csg_code_chunks {
	struct csg_code_place *places; /* by number */
	size_t place_count;
	uint32_t base; /* the window's first code */
	struct csg_code_use *used;
	size_t used_count, used_capacity, max;
	struct csg_code_chunk **spare; /* all zero */
	size_t spare_count, spare_capacity;
};

/* max: CSG_CODE_CHUNKS_MAX, or less for tests. */
void csg_code_chunks_init(struct csg_code_chunks *chunks, size_t max);
void csg_code_chunks_fini(struct csg_code_chunks *chunks);

/* The place, as it is until the next _make() or _empty(). */
static inline struct csg_code_place csg_code_chunks_place(const struct csg_code_chunks *chunks,
							  uint32_t place)
{
	return place < chunks->place_count ? chunks->places[place] : (struct csg_code_place){0};
}

/* The count of the code that is so far after the base; not to be written to where it is 0. */
static inline struct csg_code_count *csg_code_place_count(const struct csg_code_place *place,
							  uint32_t code)
{
	size_t chunk = code / CSG_CHUNK_CODES;
	const struct csg_code_chunk *counts =
		chunk < place->n ? place->chunks[chunk] : &csg_code_chunk_none;

	return (struct csg_code_count *)&counts->counts[code % CSG_CHUNK_CODES];
}

static inline struct csg_code_chunk *csg_code_chunks_of(const struct csg_code_chunks *chunks,
							const struct csg_code_use *use)
{
	return chunks->places[use->place].chunks[use->chunk];
}

/*
 * The count of a code (not: after the base) of place, to be written to.  -CSG_E_NO_MEMORY;
 * -CSG_E_LIMIT: to be emptied first.
 */
int csg_code_chunks_make(struct csg_code_chunks *chunks, uint32_t place, uint32_t code,
			 struct csg_code_count **count);

/* Used chunks by their codes, those of a code by their places. */
void csg_code_chunks_sort(struct csg_code_chunks *chunks);

/* Nothing is counted; the window is around this code. */
void csg_code_chunks_empty(struct csg_code_chunks *chunks, uint32_t code);

#endif
