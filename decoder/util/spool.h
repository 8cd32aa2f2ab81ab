/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bytes that are added one after the other, and read in that order later: in pieces of memory that
 * may lie on disk (util/disk_memory.h), so that they are never moved.
 */
#ifndef DECODER_UTIL_SPOOL_H
#define DECODER_UTIL_SPOOL_H

#include "util/disk_memory.h"

#define CSG_SPOOL_PIECE (64u << 10)

/* All zero but for memory, which outlives it: empty.  Several may share the memory. */
struct csg_spool {
	struct csg_disk_memory *memory;
	uint8_t **pieces; /* of CSG_SPOOL_PIECE bytes; all but the last are full */
	size_t capacity;
	uint64_t n;  /* bytes */
	bool failed; /* no memory, or no disk space */
};

/* After it failed it does nothing. */
void csg_spool_add(struct csg_spool *spool, const void *bytes, size_t n);

/*
 * take() gets all bytes in order, until it returns other than 0, which is returned.  What was
 * read of the disk does not stay in memory.
 */
int csg_spool_each(const struct csg_spool *spool,
		   int (*take)(void *arg, const void *bytes, size_t n), void *arg);

void csg_spool_fini(struct csg_spool *spool);

#endif
