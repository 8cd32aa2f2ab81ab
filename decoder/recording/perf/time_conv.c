/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/perf/time_conv.h"

#include "csguest/error.h"
#include "util/bytes.h"

#define SHIFT_MAX 32 /* keeps rest * mult below 2^64 */

/* Offsets in struct perf_record_time_conv. */
enum {
	SHIFT_AT = 8,
	MULT_AT = 16,
	ZERO_AT = 24,
	CYCLES_AT = 32,
	MASK_AT = 40,
	CAP_ZERO_AT = 48,
	CAP_SHORT_AT = 49,
};

int csg_time_conv_read(struct csg_time_conv *conv, const uint8_t *record, size_t len)
{
	*conv = (struct csg_time_conv){0};
	if (len < CYCLES_AT || csg_le64(record + SHIFT_AT) > SHIFT_MAX)
		return -CSG_E_CORRUPT;
	conv->shift = (uint16_t)csg_le64(record + SHIFT_AT);
	conv->mult = (uint32_t)csg_le64(record + MULT_AT);
	conv->zero = csg_le64(record + ZERO_AT);
	conv->valid = conv->mult != 0;
	if (len <= CAP_SHORT_AT)
		return 0;
	conv->cycles = csg_le64(record + CYCLES_AT);
	conv->mask = csg_le64(record + MASK_AT);
	conv->short_counter = record[CAP_SHORT_AT];
	conv->valid = conv->valid && record[CAP_ZERO_AT];
	return 0;
}
