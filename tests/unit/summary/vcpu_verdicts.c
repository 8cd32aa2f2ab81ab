/* SPDX-License-Identifier: BSD-3-Clause */
#include "summary/vcpu_verdicts.h"

#include "fake_lookup.h"
#include "suite.h"

static const struct csg_vcpu_entry vcpus[] = {
	{.tid = 12, .vm = 10, .vcpu = 1, .source = CSG_VCPU_BY_NAME},
	{.tid = 11, .vm = 10, .vcpu = 0, .source = CSG_VCPU_BY_NAME},
	{.tid = 21, .vm = 20, .vcpu = -1, .source = CSG_VCPU_BY_EVENT},
	{.tid = 31, .vm = 30, .vcpu = -1, .source = CSG_VCPU_BY_TRACE},
	{.tid = 41, .vm = -1, .vcpu = -1, .source = CSG_VCPU_BY_NAME},
};

static const struct csg_owner owners[] = {
	{.world = CSG_WORLD_GUEST, .vm = 10, .vcpu = 0, .host_tid = 11},
	{.world = CSG_WORLD_GUEST, .vm = 10, .vcpu = 1, .host_tid = -1},
	{.world = CSG_WORLD_HOST, .pid = 10, .tid = 11, .host_tid = 11},
	{.world = CSG_WORLD_HOST, .pid = 99, .tid = 11, .host_tid = 11}, /* another time */
	{.world = CSG_WORLD_GUEST, .vm = 20, .vcpu = -1, .host_tid = 21},
	{.world = CSG_WORLD_UNKNOWN, .vm = 20, .vcpu = -1, .host_tid = 21},
};

static const struct csg_owner *owner_of(void *arg, uint32_t owner)
{
	(void)arg;
	return &owners[owner];
}

static int32_t vm_of(void *arg, uint32_t owner)
{
	(void)arg;
	return owner == 3 ? CSG_VM_HOST : owner == 2 ? 10 : owners[owner].vm;
}

static struct csg_vcpu_verdicts verdicts;

static const struct csg_vcpu_entry no_numbers[] = {
	{.tid = 21, .vm = 20, .vcpu = -1, .source = CSG_VCPU_BY_EVENT},
	{.tid = 22, .vm = 20, .vcpu = -1, .source = CSG_VCPU_BY_EVENT},
};

/* 5 instructions of a vCPU of VM 20 whose number is not known; how many the first of n threads
 * has. */
static uint64_t hot_of_first(size_t n)
{
	const struct csg_report_label label = {.world = CSG_WORLD_GUEST, .vm = 20, .vcpu = -1};
	const struct csg_report_range range = {.start = 0x1000, .end = 0x1014, .instructions = 5};
	struct csg_hot_code hot = {0};
	struct csg_cpu_time time = {0};
	const struct csg_vcpu_evidence from = {
		.vcpus = no_numbers, .n = n, .lookup = &fake_lookup, .time = &time, .hot = &hot};
	uint64_t all;

	CU_ASSERT_EQUAL_FATAL(csg_hot_code_add(&hot, &label, &range), 0);
	CU_ASSERT_EQUAL_FATAL(csg_vcpu_verdicts_make(&verdicts, &from), 0);
	all = verdicts.list[0].hot.all;
	csg_vcpu_verdicts_fini(&verdicts);
	csg_hot_code_fini(&hot);
	return all;
}

static void code_of_several_threads_without_numbers_is_of_none(void)
{
	CU_ASSERT_EQUAL(hot_of_first(1), 5);
	CU_ASSERT_EQUAL(hot_of_first(2), 0);
}

/* Owner i has 1 << i of 1000. */
static void make(bool (*wanted)(void *arg, const struct csg_vcpu_entry *vcpu))
{
	struct csg_lookup lookup = fake_lookup;
	struct csg_hot_code hot = {0};
	struct csg_cpu_time time;
	struct csg_vcpu_evidence from = {.vcpus = vcpus,
					 .n = 5,
					 .lookup = &lookup,
					 .time = &time,
					 .hot = &hot,
					 .wanted = wanted};

	lookup.owner = owner_of;
	lookup.vm_of = vm_of;
	csg_cpu_time_init(&time);
	for (uint32_t i = 0; i < 6; i++) {
		const struct csg_slice slice = {
			.owner = i, .begin = 0, .end = 1u << i, .missing = i, .instructions = 1};

		CU_ASSERT_EQUAL_FATAL(csg_cpu_time_add(&time, &slice), 0);
	}
	time.end = 1000;
	CU_ASSERT_EQUAL_FATAL(csg_vcpu_verdicts_make(&verdicts, &from), 0);
	csg_cpu_time_fini(&time);
}

static void each_vcpu_has_its_own_time(void)
{
	make(NULL);
	CU_ASSERT_EQUAL_FATAL(verdicts.n, 3);
	CU_ASSERT_EQUAL(verdicts.list[0].tid, 11);
	CU_ASSERT_EQUAL(verdicts.list[0].times.part[CSG_VERDICT_RUNNING], 1);
	CU_ASSERT_EQUAL(verdicts.list[0].times.part[CSG_VERDICT_HOST], 4);
	CU_ASSERT_EQUAL(verdicts.list[0].times.part[CSG_VERDICT_UNKNOWN], 995);
	CU_ASSERT_EQUAL(verdicts.list[0].verdict, CSG_VERDICT_UNKNOWN);
	CU_ASSERT_EQUAL(verdicts.list[1].tid, 12);
	CU_ASSERT_EQUAL(verdicts.list[1].times.part[CSG_VERDICT_RUNNING], 2);
	CU_ASSERT_EQUAL(verdicts.list[1].missing, 1);
	CU_ASSERT_EQUAL(verdicts.list[2].times.part[CSG_VERDICT_RUNNING], 16);
	CU_ASSERT_EQUAL(verdicts.list[2].times.part[CSG_VERDICT_HOST], 0);
	csg_vcpu_verdicts_fini(&verdicts);
}

static bool second(void *arg, const struct csg_vcpu_entry *vcpu)
{
	(void)arg;
	return vcpu->vcpu == 1;
}

static void those_that_are_not_wanted_are_left_out(void)
{
	make(second);
	CU_ASSERT_EQUAL_FATAL(verdicts.n, 1);
	CU_ASSERT_EQUAL(verdicts.list[0].tid, 12);
	csg_vcpu_verdicts_fini(&verdicts);
}

CSG_SUITE(summary, vcpu_verdicts, CSG_TEST(each_vcpu_has_its_own_time),
	  CSG_TEST(those_that_are_not_wanted_are_left_out),
	  CSG_TEST(code_of_several_threads_without_numbers_is_of_none));
