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

static void reads(const struct csg_timeline_who *who, const char *want)
{
	char text[128];

	csg_timeline_who_text(who, text, sizeof(text));
	CU_ASSERT_STRING_EQUAL(text, want);
}

static void an_owner_reads_as_one_line(void)
{
	struct csg_timeline_who who = guest();
	char tiny[4];

	reads(&who, "guest VM 42 vCPU 1 sh 7/8");
	who.guest = "web";
	reads(&who, "guest web (VM 42) vCPU 1 sh 7/8");
	who.guest = NULL;
	who.owner.pid = -1;
	reads(&who, "guest VM 42 vCPU 1 sh 8");
	who.owner.vcpu = -1;
	who.owner.host_tid = 99;
	reads(&who, "guest VM 42 vCPU of thread 99 sh 8");
	who.owner.privilege = CSG_KERNEL;
	reads(&who, "guest VM 42 vCPU of thread 99 kernel sh 8");
	csg_timeline_who_text(&who, tiny, sizeof(tiny));
	CU_ASSERT_STRING_EQUAL(tiny, "gue");
	who = (struct csg_timeline_who){.owner = CSG_OWNER_UNKNOWN};
	reads(&who, "unknown: no context since the last gap");
	who.lost = true;
	who.gap = CSG_GAP_OVERFLOW;
	reads(&who, "lost: overflow");
}

static void what_is_not_traced_has_an_owner_if_records_name_one(void)
{
	struct csg_timeline_who who = {
		.lost = true, .named = true, .gap = CSG_GAP_TRACE_ON, .owner = CSG_OWNER_UNKNOWN};

	who.owner.vm = 42;
	who.owner.vcpu = 1;
	who.owner.host_tid = 501;
	reads(&who, "thread 501, vCPU 1 of VM 42, guest or host not known, not traced");
	who.owner.world = CSG_WORLD_GUEST;
	reads(&who, "guest VM 42 vCPU 1, not traced");
	who.gap = CSG_GAP_OVERFLOW;
	reads(&who, "guest VM 42 vCPU 1, lost: overflow");
	who.owner = (struct csg_owner)CSG_OWNER_UNKNOWN;
	who.owner.host_tid = 501;
	reads(&who, "thread 501, guest or host not known, lost: overflow");
}

static void exits_have_names(void)
{
	CU_ASSERT_PTR_NULL(csg_left_name(CSG_LEFT_UNSEEN));
	CU_ASSERT_STRING_EQUAL(csg_left_name(CSG_LEFT_ERET), "ERET");
	CU_ASSERT_STRING_EQUAL(csg_left_name(0x0e), "IRQ");
	CU_ASSERT_STRING_EQUAL(csg_left_name(0x05), "exception");
	CU_ASSERT_STRING_EQUAL(csg_left_name(0x3ff), "exception");
}

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

static void csv_has_rows_only(void)
{
	const char *text = printed(CSG_TIMELINE_CSV, CSG_SLICES_TICKS, false);

	has(text, "cpu,stream,begin_ticks,end_ticks,");
	has(text, "\n3,0,1500000000,1500002345,0,6,2,,guest,42,,1,7,8,,sh,,,,trap\n");
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

CSG_SUITE(timeline, timeline_print, CSG_TEST(an_owner_reads_as_one_line),
	  CSG_TEST(exits_have_names), CSG_TEST(text_has_rows_and_sums), CSG_TEST(csv_has_rows_only),
	  CSG_TEST(json_says_null_where_nothing_is_known),
	  CSG_TEST(what_is_not_traced_has_an_owner_if_records_name_one));
