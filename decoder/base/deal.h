/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dealing: what several have said comes in order of time, and is wanted of one after the other.
 * Where there are few of them, as there are few CPUs, that is no matter of comparing all with all.
 */
#ifndef DECODER_BASE_DEAL_H
#define DECODER_BASE_DEAL_H

#include <stddef.h>
#include <stdint.h>

#include "util/disk_memory.h"

#define CSG_DEAL_MOST 1024 /* of whom there may be items, or it is a sort as any other */

/* n items of size bytes in an array of memory, which may be NULL, with room for capacity. */
struct csg_dealt {
	struct csg_disk_memory *memory;
	void *items;
	size_t n, capacity, size;
};

/*
 * Sorts them, as qsort() does with compare(), which first of all compares whose they are; what is
 * equal stays in its order as far as it does there.  The array may be another one then.
 */
void csg_deal(struct csg_dealt *dealt, int32_t (*whose)(const void *item),
	      int (*compare)(const void *a, const void *b));

#endif
