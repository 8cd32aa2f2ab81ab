/* SPDX-License-Identifier: BSD-3-Clause */
/* Binary search in a sorted array of any type, without a function call for each step. */
#ifndef DECODER_UTIL_BISECT_H
#define DECODER_UTIL_BISECT_H

#include <stddef.h>

/*
 * Sets i (size_t) to the first index below n for which before, an expression of i, is false; to n
 * where there is none.  before holds for none after one for which it does not.
 */
#define CSG_BISECT(i, n, before)                                                                   \
	do {                                                                                       \
		size_t low_ = 0, high_ = (n);                                                      \
                                                                                                   \
		while (low_ < high_) {                                                             \
			(i) = low_ + (high_ - low_) / 2;                                           \
			if (before)                                                                \
				low_ = (i) + 1;                                                    \
			else                                                                       \
				high_ = (i);                                                       \
		}                                                                                  \
		(i) = low_;                                                                        \
	} while (0)

#endif
