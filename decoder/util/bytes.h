/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers out of the bytes of a file: little-endian, at any alignment.  A perf.data of a
 * big-endian machine is refused (perf_file.h), so nothing here swaps by what a file says.
 */
#ifndef DECODER_UTIL_BYTES_H
#define DECODER_UTIL_BYTES_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

static inline uint16_t csg_le16(const uint8_t *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return le16toh(v);
}

static inline uint32_t csg_le32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return le32toh(v);
}

static inline uint64_t csg_le64(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return le64toh(v);
}

#endif
