/* SPDX-License-Identifier: BSD-3-Clause */
/* The fields of packets. */
#ifndef DECODER_SCAN_FIELD_H
#define DECODER_SCAN_FIELD_H

#include <stdint.h>

/* A field of seven bits in each of at most this many bytes, of which 32 bits count; at moves after
 * it. */
static inline uint32_t csg_field_short(const uint8_t *bytes, unsigned int *at, unsigned int limit)
{
	uint32_t value = 0;

	for (unsigned int i = 0; i < limit; i++) {
		uint8_t byte = bytes[(*at)++];

		value |= (uint32_t)(byte & 0x7f) << 7 * i;
		if (!(byte & 0x80))
			break;
	}
	return value;
}

static inline uint32_t csg_field(const uint8_t *bytes, unsigned int *at)
{
	return csg_field_short(bytes, at, 5);
}

static inline uint64_t csg_little_endian(const uint8_t *bytes, unsigned int n)
{
	uint64_t value = 0;

	for (unsigned int i = 0; i < n; i++)
		value |= (uint64_t)bytes[i] << 8 * i;
	return value;
}

static inline uint64_t csg_low_bits(unsigned int n)
{
	return n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX;
}

#endif
