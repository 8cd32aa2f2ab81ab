/* SPDX-License-Identifier: BSD-3-Clause */
/* Heap arrays that grow. */
#ifndef DECODER_UTIL_ARRAY_H
#define DECODER_UTIL_ARRAY_H

#include <stddef.h>
#include <stdint.h>

/* Makes room for one more in a heap array of count elements of size bytes; *room is kept. */
int csg_array_grow(void **array, size_t count, size_t *capacity, size_t size);

/*
 * The same for arrays that are indexed: makes it so many, *count, that there is one at index; those that
 * are new are zero.  0 or -CSG_E_NO_MEMORY, as csg_array_grow().
 */
int csg_array_reach(void **array, size_t *count, size_t index, size_t size);

/*
 * One more element of the heap array at *array, with room for *cap: returns it, zero-filled and
 * counted in *n, or NULL out of memory.
 */
void *csg_array_add(void *array, size_t *n, size_t *cap, size_t element);

#endif
