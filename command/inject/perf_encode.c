/* SPDX-License-Identifier: BSD-3-Clause */
#include "inject/perf_encode.h"

#include <endian.h>
#include <string.h>

void csg_perf_encode_begin(struct csg_perf_encode *record, uint32_t type, uint16_t misc)
{
	record->len = 0;
	record->overflow = false;
	csg_perf_encode_u32(record, type);
	csg_perf_encode_u32(record, misc); /* and no size yet */
}

void csg_perf_encode_bytes(struct csg_perf_encode *record, const void *bytes, size_t n)
{
	if (n > sizeof(record->bytes) - record->len) {
		record->overflow = true;
		return;
	}
	memcpy(record->bytes + record->len, bytes, n);
	record->len += n;
}

void csg_perf_encode_u32(struct csg_perf_encode *record, uint32_t value)
{
	value = htole32(value);
	csg_perf_encode_bytes(record, &value, sizeof(value));
}

void csg_perf_encode_u64(struct csg_perf_encode *record, uint64_t value)
{
	value = htole64(value);
	csg_perf_encode_bytes(record, &value, sizeof(value));
}

static void pad(struct csg_perf_encode *record)
{
	static const uint8_t zeros[8];

	csg_perf_encode_bytes(record, zeros, -record->len & 7);
}

void csg_perf_encode_text(struct csg_perf_encode *record, const char *text)
{
	csg_perf_encode_bytes(record, text, strlen(text) + 1);
	pad(record);
}

void csg_perf_encode_field(struct csg_perf_encode *record, const char *text, size_t size)
{
	size_t n = strnlen(text, size - 1);

	csg_perf_encode_bytes(record, text, n);
	for (; n < size; n++)
		csg_perf_encode_bytes(record, "", 1);
}

bool csg_perf_encode_end_exact(struct csg_perf_encode *record)
{
	uint16_t size;

	if (record->overflow)
		return false;
	size = htole16((uint16_t)record->len);
	memcpy(record->bytes + 6, &size, sizeof(size));
	return true;
}

bool csg_perf_encode_end(struct csg_perf_encode *record)
{
	pad(record);
	return csg_perf_encode_end_exact(record);
}
