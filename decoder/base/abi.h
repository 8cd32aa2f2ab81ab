/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Structs that cross the border of the library.  A program may have been compiled with an older or
 * a newer version of the headers than the library that runs: structs only ever grow at their end,
 * and each is passed with the size that the caller knows.
 *
 *	input	smaller than ours: a version that was published, and what it lacks is 0
 *		larger than ours: its tail must be 0, as the library would ignore what it asks for
 *	output	the caller gets as much as it knows; what the library does not know is 0
 *
 * Sizes below that of the first published version are wrong use.
 */
#ifndef DECODER_BASE_ABI_H
#define DECODER_BASE_ABI_H

#include <stddef.h>

/*
 * Copies *theirs, which begins with its size, to *ours of `size` bytes; first is the size of the
 * struct in the first version that had it.  0 or -CSG_E_USAGE, then *ours is all 0.
 */
int csg_abi_take(void *ours, size_t size, size_t first, const void *theirs);

/* Copies *ours of `size` bytes to *theirs, of which the caller knows `known`.  0 or
 * -CSG_E_USAGE. */
int csg_abi_give(void *theirs, size_t known, size_t first, const void *ours, size_t size);

#endif
