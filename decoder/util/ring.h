/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A queue in an array that its owner has: count entries from first on, around the array's end.
 * Entries are added as the newest and removed as the oldest.
 */
#ifndef DECODER_UTIL_RING_H
#define DECODER_UTIL_RING_H

#include <stddef.h>

/* Zero-filled it is empty and has no array yet. */
struct csg_ring {
	size_t first, count;
	size_t capacity; /* entries of the array: 0 or a power of two */
};

/* The index in the array of the i-th entry, 0 the oldest; i = count is the next to be added. */
static inline size_t csg_ring_at(const struct csg_ring *ring, size_t i)
{
	return (ring->first + i) & (ring->capacity - 1);
}

/* Adds one entry, for which there is room; returns its index in the array. */
static inline size_t csg_ring_push(struct csg_ring *ring)
{
	return csg_ring_at(ring, ring->count++);
}

/* Removes the oldest. */
static inline void csg_ring_pop(struct csg_ring *ring)
{
	ring->first = csg_ring_at(ring, 1);
	ring->count--;
}

static inline void csg_ring_clear(struct csg_ring *ring)
{
	ring->first = ring->count = 0;
}

/*
 * Makes room in *array for one more entry of size bytes: doubles a full array, and moves the
 * entries to its front.  0 or -CSG_E_NO_MEMORY: then nothing has changed.
 */
int csg_ring_grow(struct csg_ring *ring, void **array, size_t size);

#endif
