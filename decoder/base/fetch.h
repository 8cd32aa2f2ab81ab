/* SPDX-License-Identifier: BSD-3-Clause */
/* From which addresses code can run. */
#ifndef DECODER_BASE_FETCH_H
#define DECODER_BASE_FETCH_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Whether a PE can fetch from address: bits 63 to 56 are copies of bit 55, which selects the
 * translation table (Arm ARM, "Address tagging"; a tag is not part of the PC).
 */
static inline bool csg_can_fetch(uint64_t address)
{
	const uint64_t top = address >> 55;

	return !top || top == 0x1ff;
}

#endif
