/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/ring.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"

#define FIRST_CAPACITY 8

int csg_ring_grow(struct csg_ring *ring, void **array, size_t size)
{
	const size_t capacity = ring->capacity ? 2 * ring->capacity : FIRST_CAPACITY;
	const size_t tail = ring->capacity - ring->first; /* entries before the array's end */
	uint8_t *larger;

	if (ring->count < ring->capacity)
		return 0;
	if (capacity > SIZE_MAX / 2 / size)
		return -CSG_E_NO_MEMORY;
	larger = malloc(capacity * size);
	if (!larger)
		return -CSG_E_NO_MEMORY;
	if (ring->count) {
		memcpy(larger, (uint8_t *)*array + ring->first * size, tail * size);
		memcpy(larger + tail * size, *array, ring->first * size);
	}
	free(*array);
	*array = larger;
	ring->first = 0;
	ring->capacity = capacity;
	return 0;
}
