/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "capture.h"
#include "fake_lookup.h"
#include "report/report_print.h"

static struct csg_report *report;
static struct csg_report_print print;

static void add(uint32_t owner, uint64_t start, uint32_t n)
{
	struct csg_element e = {.kind = CSG_ELEMENT_RANGE,
				.owner = owner,
				.start = start,
				.end = start + 4ull * n,
				.instructions = n,
				.branch = CSG_BRANCH_DIRECT,
				.isa = CSG_ISA_A64,
				.taken = true};
	struct csg_batch batch = {.elements = &e, .n = 1, .lookup_time = 1};

	CU_ASSERT_EQUAL(csg_report_add(report, &batch, 3), 0);
}

static void begin(const char *keys, enum csg_report_format format)
{
	struct csg_element gap = {.kind = CSG_ELEMENT_GAP, .gap = CSG_GAP_NO_CODE};
	struct csg_batch batch = {.elements = &gap, .n = 1};
	const char *bad;

	print = (struct csg_report_print){
		.format = format, .recording = "a \"b\"", .hypervisor = "kvm-vhe"};
	CU_ASSERT_EQUAL_FATAL(csg_report_sort_parse(&print.sort, keys, &bad), 0);
	CU_ASSERT_EQUAL_FATAL(csg_report_create(&report, &print.sort, &fake_lookup), 0);
	csg_report_add(report, &batch, 3);
	add(1, 0x1000, 60);
	add(2, 0x1000, 30);
	add(0, 0x1000, 8);
	add(4, FAKE_KERNEL, 2);
}

static void write_it(void)
{
	struct csg_out *out = capture_begin();

	csg_report_finish(report);
	CU_ASSERT_EQUAL(csg_report_write(report, &print, out), 0);
	capture_end(out);
	csg_report_destroy(report);
}

static void text_has_a_header_and_aligned_columns(void)
{
	begin("world,el,vm,comm,symbol", CSG_REPORT_TEXT);
	write_it();
	CU_ASSERT_STRING_EQUAL(
		captured, "# recording: a \"b\"\n"
			  "# hypervisor: kvm-vhe\n"
			  "# total: 100 instructions, 4 taken branches, 0 exceptions, in 4 ranges\n"
			  "# at 1 place the code was not available\n"
			  "#\n"
			  "# Overhead   Instructions       Branches  World    EL   VM  Command    "
			  "Symbol     Why unknown\n"
			  "# ........  .............  .............  .......  ...  ..  .........  "
			  ".........  ..................................................\n"
			  "#\n"
			  "    60.00%             60              1  host     EL0  -   app        "
			  "main       -\n"
			  "    30.00%             30              1  guest    EL0  42  [unknown]  "
			  "main       no record says which process the thread belongs to\n"
			  "     8.00%              8              1  unknown  ?    ?   [unknown]  "
			  "[unknown]  no context since the last gap\n"
			  "     2.00%              2              1  host     EL2  -   [unknown]  "
			  "vector     -\n");
}

static void unknown_rows_are_never_cut_without_a_word(void)
{
	begin("world,symbol", CSG_REPORT_TEXT);
	print.percent_limit = 10;
	print.max_lines = 1;
	write_it();
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "60.00%"));
	CU_ASSERT_PTR_NULL(strstr(captured, "guest"));
	CU_ASSERT_PTR_NOT_NULL(
		strstr(captured, "# not shown: 2 rows, 32.00%, 32 instructions, 2 branches\n"
				 "# not shown: 1 rows, 8.00%, 8 instructions, 1 branches, unknown: "
				 "no context since the last gap\n"));
}

static void csv_has_a_header_line_and_only_rows(void)
{
	begin("symbol,cpu,world,pid", CSG_REPORT_CSV);
	print.percent_limit = 10;
	write_it();
	CU_ASSERT_STRING_EQUAL(captured,
			       "percent,instructions,branches,symbol,cpu,world,pid,reason\n"
			       "60.0000,60,1,main,3,host,100,\n"
			       "30.0000,30,1,main,3,guest,,no record says which process the "
			       "thread belongs to\n"
			       "2.0000,2,1,,,,,rows not shown\n"
			       "8.0000,8,1,,,,,no context since the last gap\n");
}

static void json_says_null_where_nothing_is_known(void)
{
	begin("world,el,vm,vcpu,symbol", CSG_REPORT_JSON);
	print.by_branches = true;
	print.max_lines = 3;
	write_it();
	CU_ASSERT_STRING_EQUAL(
		captured,
		"{\"recording\":\"a "
		"\\\"b\\\"\",\n\"hypervisor\":\"kvm-vhe\",\n\"by\":\"branches\",\n"
		"\"totals\":{\"instructions\":100,\"branches\":4,\"exceptions\":0,\"ranges\":4},\n"
		"\"gaps\":{\"no code\":1},\n"
		"\"rows\":[\n"
		"{\"percent\":25.0000,\"instructions\":60,\"branches\":1,\"world\":\"host\",\"el\":"
		"\"EL0\","
		"\"vm\":0,\"vcpu\":null,\"symbol\":\"main\",\"reason\":null},\n"
		"{\"percent\":25.0000,\"instructions\":30,\"branches\":1,\"world\":\"guest\","
		"\"el\":\"EL0\","
		"\"vm\":42,\"vcpu\":1,\"symbol\":\"main\",\"reason\":null},\n"
		"{\"percent\":25.0000,\"instructions\":8,\"branches\":1,\"world\":\"unknown\","
		"\"el\":null,"
		"\"vm\":null,\"vcpu\":null,\"symbol\":null,\"reason\":\"no context since the last "
		"gap\"}],\n"
		"\"cut\":[\n"
		"{\"rows\":1,\"percent\":25.0000,\"instructions\":2,\"branches\":1,\"reason\":null}"
		"]}\n");
}

static void a_vm_that_nobody_asked_for_is_a_column_where_guests_ran(void)
{
	begin("process", CSG_REPORT_TEXT);
	csg_report_destroy(report);
	csg_report_sort_name_machine(&print.sort);
	CU_ASSERT_EQUAL_FATAL(csg_report_create(&report, &print.sort, &fake_lookup), 0);
	add(1, 0x1000, 60);
	write_it();
	CU_ASSERT_PTR_NULL(strstr(captured, "VM"));
	CU_ASSERT_EQUAL_FATAL(csg_report_create(&report, &print.sort, &fake_lookup), 0);
	add(1, 0x1000, 60);
	add(2, 0x1000, 30);
	write_it();
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "  -   daemon     100  -\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "  42  [unknown]  ?    no record says which"));
	CU_ASSERT_EQUAL_FATAL(csg_report_create(&report, &print.sort, &fake_lookup), 0);
	print.format = CSG_REPORT_CSV;
	add(1, 0x1000, 60);
	write_it();
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, ",branches,vm,process,pid,reason\n"));
}

static void an_empty_report_is_still_well_formed(void)
{
	const char *bad;

	print = (struct csg_report_print){
		.format = CSG_REPORT_JSON, .recording = "x", .hypervisor = "none"};
	csg_report_sort_parse(&print.sort, "symbol", &bad);
	CU_ASSERT_EQUAL_FATAL(csg_report_create(&report, &print.sort, &fake_lookup), 0);
	write_it();
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "\"rows\":[],\n\"cut\":[]}\n"));
	CU_ASSERT_EQUAL_FATAL(csg_report_create(&report, &print.sort, &fake_lookup), 0);
	print.format = CSG_REPORT_TEXT;
	write_it();
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "# total: 0 instructions"));
}

CSG_SUITE(report, report_print, CSG_TEST(text_has_a_header_and_aligned_columns),
	  CSG_TEST(unknown_rows_are_never_cut_without_a_word),
	  CSG_TEST(csv_has_a_header_line_and_only_rows),
	  CSG_TEST(json_says_null_where_nothing_is_known),
	  CSG_TEST(a_vm_that_nobody_asked_for_is_a_column_where_guests_ran),
	  CSG_TEST(an_empty_report_is_still_well_formed));
