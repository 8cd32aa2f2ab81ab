/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <string.h>

#include "text/trace_unit.h"

static void config_is(uint64_t trcconfigr, const char *text)
{
	const struct csg_source source = {.trcconfigr = trcconfigr};
	char buf[CSG_TRACE_UNIT_TEXT];

	csg_trace_unit_config(&source, buf, sizeof(buf));
	CU_ASSERT_STRING_EQUAL(buf, text);
}

static void trcconfigr_is_reported_in_words(void)
{
	config_is(0, "program flow only");
	config_is(1, "program flow only");
	config_is(0x8881, "timestamps, CONTEXTIDR_EL2");
	config_is(0xc1, "CONTEXTIDR_EL1, VMID");
	config_is(1u << 15, "program flow only"); /* VMIDOPT without VMID traces nothing */
	config_is(1u << 3 | 1u << 4 | 1u << 12, "branch broadcast, cycle counts, return stack");
	config_is(3u << 1 | 7u << 8 | 1u << 16 | 1u << 17,
		  "loads and stores as P0 elements, all conditional instructions, data addresses, "
		  "data values");
	config_is(1u << 13 | 1u << 18, "Q elements with counts, instrumentation override");
	config_is(3u << 13, "Q elements");
}

static void reserved_values_are_not_hidden(void)
{
	config_is(2u << 13, "unknown bits 0x4000");
	config_is(5u << 8 | 1u << 5, "unknown bits 0x520");
	config_is(UINT64_C(1) << 40, "unknown bits 0x10000000000");
}

static void every_bit_at_once_fits(void)
{
	const struct csg_source source = {.trcconfigr = UINT64_MAX};
	char buf[CSG_TRACE_UNIT_TEXT];

	csg_trace_unit_config(&source, buf, sizeof(buf));
	CU_ASSERT_PTR_NOT_NULL(strstr(buf, "unknown bits 0xfffffffffff80020"));
}

static void version_is(struct csg_source source, const char *text)
{
	char buf[CSG_TRACE_UNIT_TEXT];

	csg_trace_unit_version(&source, buf, sizeof(buf));
	CU_ASSERT_STRING_EQUAL(buf, text);
}

static void versions_come_from_trcidr1_and_trcdevarch(void)
{
	version_is((struct csg_source){.trcidr1 = 0x4100f421}, "ETMv4.2");
	version_is((struct csg_source){.trcidr1 = 0x4100fff0,
				       .trcdevarch = 0x47705a13,
				       .protocol = CSG_PROTOCOL_ETE},
		   "ETEv1.0");
	version_is((struct csg_source){.trcdevarch = 0x47715a13, .protocol = CSG_PROTOCOL_ETE},
		   "ETEv1.1");
	version_is((struct csg_source){.protocol = CSG_PROTOCOL_ETE}, "ETE");
	version_is((struct csg_source){.protocol = CSG_PROTOCOL_OTHER}, "other");
}

static void timestamps_have_a_source_or_are_none(void)
{
	struct csg_source s = {.ts_source = CSG_TS_SOURCE_VIRTUAL};

	CU_ASSERT_STRING_EQUAL(csg_trace_unit_timestamps(&s), "none");
	s.trcconfigr = CSG_TRCCONFIGR_TS;
	CU_ASSERT_PTR_NOT_NULL(strstr(csg_trace_unit_timestamps(&s), "virtual"));
	s.ts_source = CSG_TS_SOURCE_CORESIGHT;
	CU_ASSERT_PTR_NOT_NULL(strstr(csg_trace_unit_timestamps(&s), "CoreSight"));
	s.ts_source = 77;
	CU_ASSERT_PTR_NOT_NULL(strstr(csg_trace_unit_timestamps(&s), "does not name"));
}

CSG_SUITE(text, trace_unit, CSG_TEST(trcconfigr_is_reported_in_words),
	  CSG_TEST(reserved_values_are_not_hidden), CSG_TEST(every_bit_at_once_fits),
	  CSG_TEST(versions_come_from_trcidr1_and_trcdevarch),
	  CSG_TEST(timestamps_have_a_source_or_are_none));
