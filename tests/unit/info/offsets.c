/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "capture.h"
#include "info/offsets.h"

/* A counter of 62.5 MHz. */
static const struct csg_time_conv conv = {.valid = true, .shift = 0, .mult = 16};

static struct csg_offset_period periods[] = {
	{.from = 1000,
	 .until = 2000,
	 .offset = {-50, -20},
	 .loads = 3,
	 .puts = 4,
	 .events = 7,
	 .sources = CSG_OFFSET_BY_TRACE | CSG_OFFSET_BY_EVENTS},
	{.from = 3000,
	 .until = 3000,
	 .offset = {700, CSG_OFFSET_MAX},
	 .loads = 1,
	 .sources = CSG_OFFSET_BY_TRACE,
	 .contradicted = true},
};
static void write_offsets(bool json, const char *why)
{
	const struct csg_offset_vm_info vms[] = {
		{.vm = 5,
		 .residencies = 12,
		 .contradictions = 1,
		 .periods = periods,
		 .period_count = 2},
		{.vm = 6},
	};
	const struct csg_offsets_view view = {
		.recording = "a.data", .why_none = why, .conv = &conv, .vms = vms, .n = 2};
	struct csg_out *out = capture_begin();

	csg_offsets_write(&view, json, out);
	capture_end(out);
}

static void text_shows_intervals_evidence_and_changes(void)
{
	write_offsets(false, NULL);
	CU_ASSERT_STRING_EQUAL(captured, "VM 5\n"
					 "  residencies:       12\n"
					 "  contradictions:    1\n"
					 "  changes:           1\n"
					 "  offset\n"
					 "    from:              0.000016000 s\n"
					 "    until:             0.000032000 s\n"
					 "    from (ticks):      -50\n"
					 "    to (ticks):        -20\n"
					 "    width (ticks):     30\n"
					 "    width (ns):        480\n"
					 "    evidence:          trace, guest sideband\n"
					 "    vcpu_load seen:    3\n"
					 "    vcpu_put seen:     4\n"
					 "    guest's events:    7\n"
					 "  changed to\n"
					 "    from:              0.000048000 s\n"
					 "    until:             0.000048000 s\n"
					 "    evidence contradicts itself: not known\n"
					 "    from (ticks):      700\n"
					 "    to (ticks):        no bound\n"
					 "    evidence:          trace\n"
					 "    vcpu_load seen:    1\n"
					 "    vcpu_put seen:     0\n"
					 "    guest's events:    0\n"
					 "VM 6\n"
					 "  residencies:       0\n"
					 "  contradictions:    0\n"
					 "  changes:           0\n"
					 "  offset not known\n");
}

static void json_says_the_same(void)
{
	write_offsets(true, "no timestamps");
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "\"no_trace_evidence\": \"no timestamps\""));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "\"low\": -50,\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "\"high\": null,\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "\"width_ns\": 480,\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "\"contradicted\": true\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "\"offsets\": []\n"));
}

/* One observation demands more than another allows: there is no interval, and no width. */
static void what_contradicts_itself_has_no_width(void)
{
	const struct csg_offset was = periods[1].offset;

	periods[1].offset.high = 17;
	write_offsets(false, NULL);
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "    from (ticks):      700\n"
						"    to (ticks):        17\n"
						"    evidence:          trace\n"));
	write_offsets(true, NULL);
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "\"high\": 17,\n"
						"          \"width\": null,\n"
						"          \"width_ns\": null,\n"));
	periods[1].offset = was;
}

static void a_recording_without_vms_says_so(void)
{
	const struct csg_offsets_view view = {.recording = "a.data",
					      .why_none = "no trace unit has the virtual counter",
					      .conv = &conv};
	struct csg_out *out = capture_begin();

	csg_offsets_write(&view, false, out);
	capture_end(out);
	CU_ASSERT_STRING_EQUAL(captured,
			       "no evidence in the trace: no trace unit has the virtual counter\n"
			       "no VM is known\n");
}

CSG_SUITE(info, offsets, CSG_TEST(text_shows_intervals_evidence_and_changes),
	  CSG_TEST(json_says_the_same), CSG_TEST(what_contradicts_itself_has_no_width),
	  CSG_TEST(a_recording_without_vms_says_so));
