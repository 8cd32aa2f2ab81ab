/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <string.h>

#include "capture.h"
#include "csguest/error.h"
#include "info/info.h"

static const struct csg_recording_info recording = {.kind = CSG_RECORDING_PERF,
						    .path = "perf.data",
						    .os_release = "6.12",
						    .cpus_online = 2,
						    .cpus_available = 4,
						    .linux_host = true,
						    .exclude_guest = true,
						    .first_time = 1000000001,
						    .last_time = 2000000000};
static const struct csg_source sources[] = {
	{.queue = 0,
	 .sink = 0xab,
	 .trace_id = 0x10,
	 .cpu = 0,
	 .trcconfigr = 0x8881,
	 .trcidr1 = 0x4100f421,
	 .ts_source = CSG_TS_SOURCE_CORESIGHT},
	{.queue = 1,
	 .sink = CSG_NO_SINK,
	 .trace_id = 0x12,
	 .cpu = 1,
	 .trcconfigr = 0x8881,
	 .trcidr1 = 0x4100f421,
	 .ts_source = CSG_TS_SOURCE_CORESIGHT},
	{.queue = 1,
	 .sink = CSG_NO_SINK,
	 .trace_id = 0x14,
	 .cpu = CSG_NO_CPU,
	 .trcconfigr = 0x1,
	 .trcdevarch = 0x47715a13,
	 .protocol = CSG_PROTOCOL_ETE,
	 .ts_source = CSG_TS_SOURCE_UNKNOWN},
	{.queue = 1,
	 .sink = CSG_NO_SINK,
	 .trace_id = 0x20,
	 .cpu = CSG_NO_CPU,
	 .protocol = CSG_PROTOCOL_OTHER,
	 .name = "STM\n"},
};
static const struct csg_chunk chunks[] = {
	{.queue = 0, .bytes = 100, .cpu = 0, .time = 1500000000, .begin_time = 1400000000},
	{.queue = 0,
	 .bytes = 50,
	 .cpu = 0,
	 .time = 1600000000,
	 .flags = CSG_CHUNK_TRUNCATED | CSG_CHUNK_GAP},
	{.queue = 1, .bytes = 7, .cpu = 1, .flags = CSG_CHUNK_COLLISION},
	{.queue = 1, .bytes = 8, .cpu = 2},
};
static const struct csg_time_conv conv;

static void write_info(bool json)
{
	const struct csg_info info = {.recording = &recording,
				      .sources = sources,
				      .source_count = 4,
				      .chunks = chunks,
				      .chunk_count = 4,
				      .time_conv = &conv,
				      .hypervisor = CSG_HV_KVM_VHE,
				      .why = "EL2 is in the trace",
				      .damage = -CSG_E_CORRUPT};
	struct csg_out *out = capture_begin();

	csg_info_write(&info, json, out);
	capture_end(out);
}

static void shows(const char *text)
{
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, text));
	if (!strstr(captured, text))
		fprintf(stderr, "no '%s' in:\n%s", text, captured);
}

static void trace_is_added_up_by_queue(void)
{
	write_info(false);
	shows("      0    0         150      2         1          0      1  "
	      "1.400000-1.600000\n");
	shows("      1    -          15      2         0          1      0  -\n");
}

static void sources_with_equal_units_share_a_configuration(void)
{
	write_info(false);
	shows("      0  0x10     0        0xab  ETMv4.2              1\n");
	shows("      1  0x12     1           -  ETMv4.2              1\n");
	shows("      1  0x14     -           -  ETEv1.1              2\n");
	shows("      1  0x20     -           -  other      not decoded  STM\n");
	shows("  1: ETMv4.2\n    traces:            timestamps, CONTEXTIDR_EL2\n");
	shows("  2: ETEv1.1\n    traces:            program flow only\n");
	CU_ASSERT_PTR_NULL(strstr(captured, "  3: "));
}

static void everything_else_is_there(void)
{
	write_info(false);
	shows("  damage:            file contradicts itself\n");
	shows("  because:           EL2 is in the trace\n");
	shows("  without guests:    yes\n");
	shows("  first time:        1.000000001 s\n");
	shows("exclude_guest");
	shows("    remedy: record by csguest collect, or with explicit modifiers: perf record -a "
	      "-e cs_etm//GH\n");
}

static void json_has_the_same(void)
{
	write_info(true);
	shows("\"exclude_guest\": true");
	shows("\"traces\": \"timestamps, CONTEXTIDR_EL2\"");
	shows("\"sink\": 171");
	shows("\"sink\": null");
	shows("\"trcconfigr\": \"0x8881\"");
	shows("\"ts_source\": -1");
	shows("\"name\": \"STM\\u000a\"");
	shows("\"truncated\": 1");
	shows("\"remedy\": \"record by csguest collect, or with explicit modifiers");
	CU_ASSERT_PTR_NULL(strstr(captured, "remedy: "));
	CU_ASSERT_EQUAL(captured[0], '{');
}

CSG_SUITE(info, info, CSG_TEST(trace_is_added_up_by_queue),
	  CSG_TEST(sources_with_equal_units_share_a_configuration),
	  CSG_TEST(everything_else_is_there), CSG_TEST(json_has_the_same));
