/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Slices of a whole recording in bounded memory, for a picture: as many as a budget allows.
 *
 * All are kept as they are until there are too many.  Then neighbours that lie in the same bucket
 * of time (as wide as the resolution) become one, "mixed", with the share of each owner; the
 * resolution doubles until enough room is free.  What is longer than a bucket stays as it is, and
 * no sum is ever changed: a mixed slice has the time, instructions and number of slices of each
 * owner in it.
 */
#ifndef COMMAND_TIMELINE_SLICE_STORE_H
#define COMMAND_TIMELINE_SLICE_STORE_H

#include <stddef.h>

#include "timeline/slice.h"

/* What one owner has of a mixed slice. */
struct csg_share {
	uint32_t owner; /* or CSG_SLICE_LOST */
	uint8_t gap;
	uint64_t time, instructions, missing, slices;
};

struct csg_stored {
	struct csg_slice slice; /* mixed: owner and gap do not count */
	uint32_t share_count;	/* 0: not mixed */
	size_t shares;		/* where they begin */
};

struct csg_slice_store {
	size_t budget;
	uint64_t resolution; /* of mixed slices; 0: there are none */
	struct csg_stored *slices;
	size_t n, capacity;
	struct csg_share *shares;
	size_t share_n, share_capacity;
};

/* budget: slices, at least 2 */
void csg_slice_store_init(struct csg_slice_store *store, size_t budget);
void csg_slice_store_fini(struct csg_slice_store *store);

/* Those of a stream one after the other, stream after stream.  -CSG_E_NO_MEMORY. */
int csg_slice_store_add(struct csg_slice_store *store, const struct csg_slice *slice);

#endif
