/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <string.h>

#include "capture.h"
#include "summary/vcpu_verdicts.h"

#define HEAD "\nvCPUs, % of their time   most         guest  host halted starved asleep unknown\n"

static struct csg_vcpu_verdict list[12];
static struct csg_vcpu_verdicts verdicts = {.list = list};

static void print(size_t n)
{
	struct csg_out *out = capture_begin();

	verdicts.n = n;
	csg_vcpu_verdicts_text(&verdicts, out);
	capture_end(out);
}

static void one(size_t i, enum csg_verdict verdict)
{
	list[i] = (struct csg_vcpu_verdict){
		.vm = 7, .vcpu = (int32_t)i, .tid = 8, .verdict = verdict};
	list[i].times.part[verdict % CSG_VERDICT_PARTS] = 900;
	list[i].times.part[CSG_VERDICT_HOST] += 100;
}

static void without_vcpus_there_is_no_table(void)
{
	print(0);
	CU_ASSERT_STRING_EQUAL(captured, "");
}

static void evidence_stands_beside_the_verdict(void)
{
	one(0, CSG_VERDICT_SPINNING);
	list[0].hot = (struct csg_hot_place){
		.all = 12345, .instructions = 12000, .bytes = 24, .waits = "WFE", .symbol = "lock"};
	one(1, CSG_VERDICT_RUNNING);
	list[1].hot = (struct csg_hot_place){.all = 100, .instructions = 90, .bytes = 16};
	one(2, CSG_VERDICT_RUNNING);
	list[2].hot = (struct csg_hot_place){.all = 100, .instructions = 89, .bytes = 16};
	one(3, CSG_VERDICT_HALTED);
	list[3].hot = list[0].hot;
	list[3].name = "web";
	list[3].vcpu = -1;
	print(4);
	CU_ASSERT_STRING_EQUAL(
		captured,
		HEAD "VM 7 vCPU 0              spinning     90.0%  10.0    0.0     0.0    0.0    "
		     " 0.0\n"
		     "  spinning at lock: 97.2% of 12,345 instructions\n    in 24 bytes, with WFE\n"
		     "VM 7 vCPU 1              running      90.0%  10.0    0.0     0.0    0.0    "
		     " 0.0\n"
		     "  hot: [unknown]: 90.0% of 100 instructions\n"
		     "    in 16 bytes, no WFE or YIELD counts: work, or a loop that polls\n"
		     "VM 7 vCPU 2              running      90.0%  10.0    0.0     0.0    0.0    "
		     " 0.0\n"
		     "web (VM 7) thread 8      halted        0.0%  10.0   90.0     0.0    0.0    "
		     " 0.0\n");
}

static void of_many_it_says_how_many_are_what(void)
{
	for (size_t i = 0; i < 12; i++)
		one(i, i < 10 ? CSG_VERDICT_STARVED : CSG_VERDICT_ASLEEP);
	print(12);
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "\n4 more vCPUs: 2 starved, 2 asleep\n"));
	CU_ASSERT_PTR_NULL(strstr(captured, "vCPU 8"));
}

static void only_the_one_of_asleep_and_blocked_that_occurs_has_a_column(void)
{
	one(0, CSG_VERDICT_BLOCKED);
	print(1);
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "host halted starved blocked unknown\n"));
	CU_ASSERT_PTR_NOT_NULL(
		strstr(captured, "blocked       0.0%  10.0    0.0     0.0    90.0     0.0\n"));
	one(1, CSG_VERDICT_ASLEEP);
	print(2);
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "host halted starved asleep blocked unknown\n"));
}

static void json_has_all_numbers(void)
{
	struct csg_out *out = capture_begin();

	one(0, CSG_VERDICT_HALTED);
	list[0].vcpu = -1;
	list[0].missing = 3;
	one(1, CSG_VERDICT_SPINNING);
	list[1].hot = (struct csg_hot_place){
		.all = 10, .instructions = 9, .bytes = 24, .waits = "WFE", .symbol = "lock"};
	verdicts.n = 2;
	csg_vcpu_verdicts_json(&verdicts, out);
	capture_end(out);
	CU_ASSERT_STRING_EQUAL(
		captured,
		",\n\"vcpus\":[\n"
		"{\"vm\":7,\"vcpu\":null,\"tid\":8,\"verdict\":\"halted\",\"times\":{\"guest\":0,"
		"\"host\":100,"
		"\"halted\":900,\"starved\":0,\"asleep\":0,\"blocked\":0,\"unknown\":0},"
		"\"missing\":3,\"hot\":"
		"null},\n"
		"{\"vm\":7,\"vcpu\":1,\"tid\":8,\"verdict\":\"spinning\",\"times\":{\"guest\":900,"
		"\"host\":100,"
		"\"halted\":0,\"starved\":0,\"asleep\":0,\"blocked\":0,\"unknown\":0},\"missing\":"
		"0,\"hot\":{"
		"\"instructions\":9,"
		"\"of\":10,\"bytes\":24,\"symbol\":\"lock\",\"dso\":null,\"waits\":\"WFE\"}}]");
}

CSG_SUITE(summary, vcpu_verdicts_print, CSG_TEST(without_vcpus_there_is_no_table),
	  CSG_TEST(evidence_stands_beside_the_verdict), CSG_TEST(of_many_it_says_how_many_are_what),
	  CSG_TEST(only_the_one_of_asleep_and_blocked_that_occurs_has_a_column),
	  CSG_TEST(json_has_all_numbers));
