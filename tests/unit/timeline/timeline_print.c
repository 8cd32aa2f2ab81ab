/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <string.h>

#include "capture.h"
#include "timeline/timeline_print.h"

static const struct csg_source source = {.cpu = 3};
static const struct csg_stream_info streams[] = {{.source = &source}};

static struct csg_timeline_who guest(void)
{
	struct csg_timeline_who who = {.owner = CSG_OWNER_UNKNOWN, .comm = "sh"};

	who.owner.world = CSG_WORLD_GUEST;
	who.owner.reason = CSG_REASON_NONE;
	who.owner.vm = 42;
	who.owner.vcpu = 1;
	who.owner.pid = 7;
	who.owner.tid = 8;
	return who;
}

static size_t columns; /* of the terminal */

static const char *printed(enum csg_timeline_format format, enum csg_slices_unit unit,
			   bool totals_only)
{
	struct csg_out *out = capture_begin();
	struct csg_timeline_row row = {.begin = 1500000000,
				       .end = 1500002345,
				       .instructions = 6,
				       .missing = 2,
				       .instrumented = 4,
				       .left = 3};
	struct csg_timeline_total total = {
		.time = 2345, .rows = 1, .instructions = 6, .longest = 2345};
	struct csg_timeline_print print = {.out = out,
					   .format = format,
					   .unit = unit,
					   .totals_only = totals_only,
					   .recording = "x",
					   .hypervisor = "kvm-vhe",
					   .streams = streams};
	struct csg_timeline timeline = {.totals = &total};

	out->columns = columns;
	row.who = guest();
	csg_keyset_init(&timeline.whos, sizeof(row.who));
	CU_ASSERT_EQUAL(csg_keyset_add(&timeline.whos, &row.who), 0);
	csg_timeline_print_begin(&print);
	csg_timeline_print_row(&print, &row);
	CU_ASSERT_EQUAL(csg_timeline_print_end(&print, &timeline), 0);
	csg_keyset_fini(&timeline.whos);
	capture_end(out);
	return captured;
}

static void has(const char *text, const char *part)
{
	CU_ASSERT_PTR_NOT_NULL(strstr(text, part));
}

static void text_has_rows_and_sums(void)
{
	const char *text = printed(CSG_TIMELINE_TEXT, CSG_SLICES_NS, false);

	has(text, "  [003]        1.500000000        1.500002345          2.345             6  "
		  "guest VM 42 vCPU 1 sh 7/8");
	has(text, "  left by trap, code missing 2 times, instrumented 4 times\n");
	has(text,
	    "# 100.00%          2.345          1          2.345          2.345             6  "
	    "guest VM 42 vCPU 1 sh 7/8\n");
	text = printed(CSG_TIMELINE_TEXT, CSG_SLICES_BYTES, true);
	has(text, "no timestamps: bytes");
	CU_ASSERT_PTR_NULL(strstr(text, "[003]"));
}

static void lines_are_as_wide_as_the_terminal(void)
{
	const char *text;

	columns = 79;
	text = printed(CSG_TIMELINE_TEXT, CSG_SLICES_NS, false);
	columns = 0;
	has(text, "# columns are left out for the terminal's width\n");
	has(text,
	    "# CPU                 from          us  who\n"
	    "  [003]        1.500000000       2.345  guest VM 42 vCPU 1 sh 7/8            ...\n");
	has(text, "#   share          us  instructions  who\n"
		  "# 100.00%       2.345             6  guest VM 42 vCPU 1 sh 7/8");
}

static void csv_has_rows_only(void)
{
	const char *text = printed(CSG_TIMELINE_CSV, CSG_SLICES_TICKS, false);

	has(text, "cpu,stream,begin_ticks,end_ticks,");
	has(text, "\n3,0,1500000000,1500002345,0,6,2,,guest,42,,1,7,8,,sh,,,,trap,,\n");
}

static void json_says_null_where_nothing_is_known(void)
{
	const char *text = printed(CSG_TIMELINE_JSON, CSG_SLICES_NS, false);

	has(text, "{\"recording\":\"x\",\"hypervisor\":\"kvm-vhe\",\"unit\":\"ns\",");
	has(text, ",\"missing\":2,\"instrumented\":4,\"cpu\":3,\"lost\":null,\"world\":\"guest\","
		  "\"vm\":42,\"guest\":null,\"vcpu\":1,"
		  "\"pid\":7,"
		  "\"tid\":8,\"host_tid\":null,\"comm\":\"sh\",\"el\":null,\"evidence\":null,"
		  "\"reason\":null,\"left\":\"trap\"}");
	has(text, "\"totals\":[\n{\"time\":2345,\"rows\":1,");
	has(text, "}],\n\"vcpus\":null}\n");
}

CSG_SUITE(timeline, timeline_print, CSG_TEST(text_has_rows_and_sums),
	  CSG_TEST(lines_are_as_wide_as_the_terminal), CSG_TEST(csv_has_rows_only),
	  CSG_TEST(json_says_null_where_nothing_is_known));
