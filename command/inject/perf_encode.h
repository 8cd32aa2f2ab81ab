/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A record of a perf.data being put together: struct perf_event_header {u32 type, u16 misc, u16
 * size}, then whatever the caller puts; little-endian, padded to 8 bytes.  A record is at most
 * 64 KB; what does not fit is left out and remembered, and such a record must not be written.
 */
#ifndef COMMAND_INJECT_PERF_ENCODE_H
#define COMMAND_INJECT_PERF_ENCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CSG_PERF_ENCODE_MAX 65528u

struct csg_perf_encode {
	uint8_t bytes[CSG_PERF_ENCODE_MAX];
	size_t len;
	bool overflow;
};

void csg_perf_encode_begin(struct csg_perf_encode *record, uint32_t type, uint16_t misc);
void csg_perf_encode_bytes(struct csg_perf_encode *record, const void *bytes, size_t n);
void csg_perf_encode_u32(struct csg_perf_encode *record, uint32_t value);
void csg_perf_encode_u64(struct csg_perf_encode *record, uint64_t value);
/* text with its 0, in as many bytes as make the record a multiple of 8 */
void csg_perf_encode_text(struct csg_perf_encode *record, const char *text);
/* text in exactly size bytes, filled up with 0, of which the last is one */
void csg_perf_encode_field(struct csg_perf_encode *record, const char *text, size_t size);
/* Pads and enters the size.  False: it did not fit. */
bool csg_perf_encode_end(struct csg_perf_encode *record);
/* The same without padding, as perf has features in pipes. */
bool csg_perf_encode_end_exact(struct csg_perf_encode *record);

#endif
