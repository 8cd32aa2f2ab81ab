/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/perf/simpleperf.h"

#include "util/bytes.h"

#define ENTRY_BYTES 16

bool csg_simpleperf_index(const uint8_t *feature, size_t len)
{
	if (len % ENTRY_BYTES)
		return false;
	/* perf's has 8 bytes more than whole entries, unless its count lies. */
	return len && csg_le64(feature) != len / ENTRY_BYTES;
}

uint32_t csg_perf_record_size(const uint8_t *header)
{
	uint32_t high = csg_le16(header + 4), low = csg_le16(header + 6);

	return csg_le32(header) >= CSG_SIMPLEPERF_FIRST_TYPE ? high << 16 | low : low;
}
