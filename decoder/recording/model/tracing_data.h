/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tracing data: what perf record copies of the kernel's tracefs into HEADER_TRACING_DATA, so that
 * the raw bytes of a tracepoint's samples (PERF_SAMPLE_RAW) can be read
 * (tools/perf/util/trace-event-info.c):
 *
 *	u8[3] 23 8 68, "tracing", text version, u8 big endian, u8 bytes of a long, u32 page size
 *	"header_page" 0, u64 size, as many bytes; "header_event" 0, the same
 *	u32 count of ftrace's own formats; of each u64 size, as many bytes
 *	u32 count of systems; of each its name 0, u32 count, of each format u64 size, as many bytes
 *	symbols, printk formats and names of commands, which are not read
 *
 * A format is text, as events/SYSTEM/NAME/format has it: a line "name: ", one "ID: ", which the
 * config of the event's perf_event_attr is, and one for each field: "field:TYPE NAME; offset:N;
 * size:N; signed:N;".
 *
 * libtraceevent does all that and much more; the numbers of two events are no reason to depend on
 * it.
 */
#ifndef DECODER_RECORDING_MODEL_TRACING_DATA_H
#define DECODER_RECORDING_MODEL_TRACING_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Tracing data larger than this is not looked at. */
#define CSG_TRACING_DATA_MAX (64u << 20)

/* A format, in place: no 0 ends it. */
struct csg_tracepoint_format {
	const char *text;
	size_t len;
};

/* Where a field lies in the raw bytes; size 1, 2, 4 or 8. */
struct csg_tracepoint_field {
	uint32_t offset, size;
};

/* Finds the format of SYSTEM:NAME.  False: it is not there, or the bytes are not as they should
 * be. */
bool csg_tracing_data_find(const uint8_t *bytes, size_t len, const char *system, const char *name,
			   struct csg_tracepoint_format *format);

/* The number of the event: perf_event_attr's config.  False: it has none. */
bool csg_tracepoint_id(const struct csg_tracepoint_format *format, uint64_t *id);

/* Finds a field that is a number.  False: there is none of this name, or it is none. */
bool csg_tracepoint_find(const struct csg_tracepoint_format *format, const char *name,
			 struct csg_tracepoint_field *field);

/* Whether an event with this name (may be NULL) is this tracepoint: what may follow are modifiers,
 * kvm:kvm_entry:k */
bool csg_tracepoint_is(const char *name, const char *tracepoint);

/* The field's value in raw bytes of little endian.  False: they end before. */
bool csg_tracepoint_get(const struct csg_tracepoint_field *field, const uint8_t *raw, size_t len,
			uint64_t *value);

#endif
