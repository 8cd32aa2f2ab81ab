/* SPDX-License-Identifier: BSD-3-Clause */
/* Heap arrays that grow. */
#ifndef DECODER_UTIL_ARRAY_H
#define DECODER_UTIL_ARRAY_H

#include <stddef.h>
#include <stdint.h>

/*
 * Makes the capacity of a heap array of elements of size bytes at least want.  It doubles, so that
 * to add n elements one by one copies some n.  0 or -CSG_E_NO_MEMORY: then nothing has changed.
 */
int csg_array_reserve(void **array, size_t *capacity, size_t want, size_t size);

/* The same for one more than the count elements that it has. */
int csg_array_grow(void **array, size_t count, size_t *capacity, size_t size);

/*
 * For arrays that are indexed: makes *count, the number of elements, large enough that there is one
 * at index; new ones are zero.  0 or -CSG_E_NO_MEMORY: then nothing has changed.
 */
int csg_array_reach(void **array, size_t *count, size_t index, size_t size);

/*
 * One more element of the heap array at *array, of capacity *cap: returns it, zero-filled and
 * counted in *n, or NULL out of memory.
 */
void *csg_array_add(void *array, size_t *n, size_t *cap, size_t element);

#endif
