/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Streams in the order of the time of what each hands out next: the one with the least time comes
 * first, of several the one with the least number.  A heap, since there may be tens of thousands of
 * them.
 */
#ifndef DECODER_SESSION_RUN_MERGE_H
#define DECODER_SESSION_RUN_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct csg_merge {
	struct csg_merge_entry {
		uint64_t time;
		size_t stream;
	} * entries;
	size_t n;
};

/* Of N streams, none of which is in it yet.  0 or -CSG_E_NO_MEMORY. */
int csg_merge_init(struct csg_merge *merge, size_t streams);
void csg_merge_fini(struct csg_merge *merge);

/* The stream, which is not in it, has something of that time. */
void csg_merge_add(struct csg_merge *merge, size_t stream, uint64_t time);

/* Takes the first stream out; false: there is none. */
bool csg_merge_take(struct csg_merge *merge, size_t *stream);

#endif
