/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parts of lines that were printed before.  Samples of a listing repeat each other: one thread runs
 * the same code over and over, so most of a line's text stood in an earlier one.  A part is kept
 * with the key of what it was printed of, and with the times between which that would give the same
 * text.
 *
 * What is found is copied; what isn't is printed as ever and then kept, from the output's block, if
 * it is short enough.  Newer parts replace older ones.
 */
#ifndef COMMAND_SCRIPT_SAMPLE_CACHE_H
#define COMMAND_SCRIPT_SAMPLE_CACHE_H

#include <stdbool.h>
#include <string.h>

#include "text/out.h"

#define CSG_PART_MAX 208  /* bytes of a part that is kept */
#define CSG_PART_STEP 16  /* parts are copied in pieces of this many bytes */
#define CSG_PART_USUAL 64 /* but the first this many at once */

struct csg_part {
	uint64_t key[2];
	uint32_t more;	     /* of the key */
	uint32_t size;	     /* bytes of text; 0: nothing is kept */
	uint64_t from, last; /* times, UINT64_MAX among them */
	char text[CSG_PART_MAX];
};

/* All before the time of a line: who ran where. */
struct csg_part_front {
	struct csg_part part;
	const char *comm; /* of the thread, as its name was recorded */
	int32_t pid, tid;
};

#define CSG_PART_FRONTS 64
#define CSG_PART_KINDS 64
#define CSG_PART_PLACES 8192

struct csg_sample_cache {
	struct csg_part time;
	struct csg_part_front fronts[CSG_PART_FRONTS];
	struct csg_part kinds[CSG_PART_KINDS];	 /* period, event, flags */
	struct csg_part places[CSG_PART_PLACES]; /* an address and what lies there */
};

/*
 * Which of count parts, a power of two, has this key, if any does.  By csg_hash_mix() more keys
 * share a part: script then takes 0.4 % more instructions.
 */
static inline size_t csg_part_index(size_t count, uint64_t a, uint64_t b)
{
	uint64_t hash = (a ^ b * UINT64_C(0xff51afd7ed558ccd)) * UINT64_C(0x9e3779b97f4a7c15);

	return hash >> 40 & (count - 1);
}

static inline bool csg_part_is(const struct csg_part *part, uint64_t a, uint64_t b, uint32_t more)
{
	return part->key[0] == a && part->key[1] == b && part->more == more && part->size;
}

static inline bool csg_part_holds(const struct csg_part *part, uint64_t when)
{
	return when >= part->from && when <= part->last;
}

/* Prints a part that is kept. */
static inline void csg_part_put(const struct csg_part *part, struct csg_out *out)
{
	char *to = csg_out_reserve(out, CSG_PART_MAX);

	/* Nearly all are no longer than this: always the same bytes are sooner copied than
	 * counted. */
	memcpy(to, part->text, CSG_PART_USUAL);
	for (size_t i = CSG_PART_USUAL; i < part->size; i += CSG_PART_STEP)
		memcpy(to + i, part->text + i, CSG_PART_STEP);
	csg_out_advance(out, part->size);
}

/* Where the text of a part begins, which is printed next. */
struct csg_part_begin {
	size_t used;
	uint64_t flushes;
};

struct csg_part_begin csg_part_begin(struct csg_out *out);

/* It has been printed.  The times are left for the caller to fill in: the part holds at all
 * times. */
void csg_part_keep(struct csg_part *part, const struct csg_out *out, struct csg_part_begin begin,
		   uint64_t a, uint64_t b, uint32_t more);

#endif
