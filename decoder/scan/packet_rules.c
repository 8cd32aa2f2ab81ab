/* SPDX-License-Identifier: BSD-3-Clause */
#include "scan/packet_rules.h"

#include <stddef.h>
#include <string.h>

#include "scan/arch.h"
#include "scan/packet.h"

#define TRCCONFIGR_INSTP0 (3u << 1)
#define TRCCONFIGR_DATA (3u << 16) /* DA, DV */
#define TRCIDR0_TRCDATA (3u << 3)
#define TRCIDR0_TRCCOND (1u << 6)
#define TRCIDR0_QSUPP (3u << 15)

/* What a unit must be or do for it to send a packet. */
enum feature {
	ETM = 1u << 0, /* is no ETE */
	ETE = 1u << 1,
	ETE_1_3 = 1u << 2,
	V4_3 = 1u << 3, /* or newer, also ETE */
	V4_6 = 1u << 4,
	V8M = 1u << 5,
	DATA = 1u << 6,
	CONDITIONAL = 1u << 7,
	Q = 1u << 8,
};

/* Headers without a row are reserved. */
static const struct {
	uint8_t first, last;
	uint16_t needs; /* enum feature */
	struct csg_packet_rule rule;
} headers[] = {
	{0x00, 0x00, 0, {.kind = CSG_PACKET_BAD, .bytes = 1}}, /* A-Sync, Discard, Overflow */
	{0x01, 0x01, 0, {.kind = CSG_PACKET_TRACE_INFO, .bytes = 1}},
	{0x02, 0x02, 0, {.kind = CSG_PACKET_TIMESTAMP, .limit = CSG_TIMESTAMP_BYTES}},
	{0x03, 0x03, 0, {.kind = CSG_PACKET_TIMESTAMP, .limit = CSG_TIMESTAMP_BYTES, .fields = 1}},
	{0x04, 0x04, 0, {.kind = CSG_PACKET_TRACE_ON}},
	{0x05, 0x05, V8M, {.kind = CSG_PACKET_FUNCTION_RETURN}},
	{0x06, 0x06, 0, {.kind = CSG_PACKET_EXCEPTION, .bytes = 1}},
	{0x07, 0x07, ETM, {.kind = CSG_PACKET_EXCEPTION_RETURN}},
	{0x09, 0x09, ETE_1_3, {.kind = CSG_PACKET_ITE, .bytes = 9}},
	{0x0a, 0x0a, ETE, {.kind = CSG_PACKET_TRANSACTION_START}},
	{0x0b, 0x0b, ETE, {.kind = CSG_PACKET_TRANSACTION_COMMIT}},
	{0x0c, 0x0d, 0, {.kind = CSG_PACKET_CYCLES, .bytes = 1}},
	{0x0e, 0x0e, 0, {.kind = CSG_PACKET_CYCLES, .fields = 2}}, /* commit, count */
	{0x0f, 0x0f, 0, {.kind = CSG_PACKET_CYCLES, .fields = 1}}, /* commit */
	{0x10, 0x1f, 0, {.kind = CSG_PACKET_CYCLES}},
	{0x20, 0x2c, DATA, {.kind = CSG_PACKET_DATA_SYNC}},
	{0x2d, 0x2d, 0, {.kind = CSG_PACKET_COMMIT, .fields = 1}},
	{0x2e, 0x2f, 0, {.kind = CSG_PACKET_CANCEL, .fields = 1}},
	{0x30, 0x3f, 0, {.kind = CSG_PACKET_CANCEL}},
	{0x40, 0x46, CONDITIONAL, {.kind = CSG_PACKET_CONDITIONAL}},
	{0x48, 0x4a, CONDITIONAL, {.kind = CSG_PACKET_CONDITIONAL}},
	{0x4c, 0x4e, CONDITIONAL, {.kind = CSG_PACKET_CONDITIONAL}},
	{0x50, 0x5f, CONDITIONAL, {.kind = CSG_PACKET_CONDITIONAL, .bytes = 1}},
	{0x68, 0x6b, CONDITIONAL, {.kind = CSG_PACKET_CONDITIONAL, .fields = 2}},
	{0x6c, 0x6c, CONDITIONAL, {.kind = CSG_PACKET_CONDITIONAL, .fields = 1}},
	{0x6d, 0x6d, CONDITIONAL, {.kind = CSG_PACKET_CONDITIONAL, .bytes = 1}},
	{0x6e, 0x6f, CONDITIONAL, {.kind = CSG_PACKET_CONDITIONAL, .fields = 1}},
	{0x70, 0x70, V4_3, {.kind = CSG_PACKET_IGNORE}},
	{0x71, 0x7f, 0, {.kind = CSG_PACKET_EVENT}},
	{0x80, 0x80, 0, {.kind = CSG_PACKET_CONTEXT}},
	{0x81, 0x81, 0, {.kind = CSG_PACKET_CONTEXT, .bytes = 1}},
	{0x82, 0x82, 0, {.kind = CSG_PACKET_ADDRESS_CONTEXT, .bytes = 5, .form = CSG_LONG32_IS0}},
	{0x83, 0x83, 0, {.kind = CSG_PACKET_ADDRESS_CONTEXT, .bytes = 5, .form = CSG_LONG32_IS1}},
	{0x85, 0x85, 0, {.kind = CSG_PACKET_ADDRESS_CONTEXT, .bytes = 9, .form = CSG_LONG64_IS0}},
	{0x86, 0x86, 0, {.kind = CSG_PACKET_ADDRESS_CONTEXT, .bytes = 9, .form = CSG_LONG64_IS1}},
	{0x88, 0x88, V4_6, {.kind = CSG_PACKET_TS_MARKER}},
	{0x90, 0x92, 0, {.kind = CSG_PACKET_ADDRESS, .form = CSG_MATCH}},
	{0x95, 0x95, 0, {.kind = CSG_PACKET_ADDRESS, .limit = 2, .form = CSG_SHORT_IS0}},
	{0x96, 0x96, 0, {.kind = CSG_PACKET_ADDRESS, .limit = 2, .form = CSG_SHORT_IS1}},
	{0x9a, 0x9a, 0, {.kind = CSG_PACKET_ADDRESS, .bytes = 4, .form = CSG_LONG32_IS0}},
	{0x9b, 0x9b, 0, {.kind = CSG_PACKET_ADDRESS, .bytes = 4, .form = CSG_LONG32_IS1}},
	{0x9d, 0x9d, 0, {.kind = CSG_PACKET_ADDRESS, .bytes = 8, .form = CSG_LONG64_IS0}},
	{0x9e, 0x9e, 0, {.kind = CSG_PACKET_ADDRESS, .bytes = 8, .form = CSG_LONG64_IS1}},
	{0xa0, 0xa2, Q, {.kind = CSG_PACKET_Q, .fields = 1, .form = CSG_MATCH}},
	{0xa5, 0xa5, Q, {.kind = CSG_PACKET_Q, .limit = 2, .fields = 1, .form = CSG_SHORT_IS0}},
	{0xa6, 0xa6, Q, {.kind = CSG_PACKET_Q, .limit = 2, .fields = 1, .form = CSG_SHORT_IS1}},
	{0xaa, 0xaa, Q, {.kind = CSG_PACKET_Q, .bytes = 4, .fields = 1, .form = CSG_LONG32_IS0}},
	{0xab, 0xab, Q, {.kind = CSG_PACKET_Q, .bytes = 4, .fields = 1, .form = CSG_LONG32_IS1}},
	{0xac, 0xac, Q, {.kind = CSG_PACKET_Q, .fields = 1}},
	{0xaf, 0xaf, Q, {.kind = CSG_PACKET_Q}},
	{0xb0, 0xb2, ETE, {.kind = CSG_PACKET_SOURCE_ADDRESS, .form = CSG_MATCH}},
	{0xb4, 0xb4, ETE, {.kind = CSG_PACKET_SOURCE_ADDRESS, .limit = 2, .form = CSG_SHORT_IS0}},
	{0xb5, 0xb5, ETE, {.kind = CSG_PACKET_SOURCE_ADDRESS, .limit = 2, .form = CSG_SHORT_IS1}},
	{0xb6, 0xb6, ETE, {.kind = CSG_PACKET_SOURCE_ADDRESS, .bytes = 4, .form = CSG_LONG32_IS0}},
	{0xb7, 0xb7, ETE, {.kind = CSG_PACKET_SOURCE_ADDRESS, .bytes = 4, .form = CSG_LONG32_IS1}},
	{0xb8, 0xb8, ETE, {.kind = CSG_PACKET_SOURCE_ADDRESS, .bytes = 8, .form = CSG_LONG64_IS0}},
	{0xb9, 0xb9, ETE, {.kind = CSG_PACKET_SOURCE_ADDRESS, .bytes = 8, .form = CSG_LONG64_IS1}},
	{CSG_FIRST_ATOMS, 0xff, 0, {.kind = CSG_PACKET_ATOMS}},
};

static bool traces_data(const struct csg_source *source)
{
	return (source->trcidr0 & TRCIDR0_TRCDATA) == TRCIDR0_TRCDATA &&
	       (source->trcconfigr & TRCCONFIGR_INSTP0) && (source->trcconfigr & TRCCONFIGR_DATA);
}

static bool traces_conditions(const struct csg_source *source)
{
	unsigned int cond = (unsigned int)(source->trcconfigr >> 8) & 7;

	return (source->trcidr0 & TRCIDR0_TRCCOND) && ((cond >= 1 && cond <= 3) || cond == 7);
}

static unsigned int features_of(const struct csg_source *source)
{
	unsigned int version = csg_arch_version(source);
	unsigned int features = version >= 0x50 ? ETE : ETM;

	if (version >= 0x43)
		features |= V4_3;
	if (version >= 0x46)
		features |= V4_6;
	if (version >= 0x50 && (version & 0xf) >= 3)
		features |= ETE_1_3;
	if (version >= 0x42 && csg_arch_is_v8m(source))
		features |= V8M;
	if (traces_data(source))
		features |= DATA;
	if (traces_conditions(source))
		features |= CONDITIONAL;
	if (source->trcidr0 & TRCIDR0_QSUPP)
		features |= Q;
	return features;
}

void csg_packet_rules_init(struct csg_packet_rule rules[256], const struct csg_source *source,
			   bool mode1)
{
	unsigned int features = features_of(source);

	memset(rules, 0, 256 * sizeof(*rules));
	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
		for (unsigned int h = headers[i].first; h <= headers[i].last; h++)
			if (!headers[i].needs || (features & headers[i].needs))
				rules[h] = headers[i].rule;
	if (mode1) {
		rules[0x0e].fields--;
		rules[0x0f].fields--;
	}
}
