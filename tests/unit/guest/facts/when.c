/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/when.h"

#include "csguest/contradiction.h"
#include "suite.h"

static const struct csg_when there = {.cpu = 3, .from = 20, .until = 30, .index = 200, .end = 300};

static void a_contradiction_is_where_the_segment_is(void)
{
	struct csg_when when = there;
	struct csg_contradiction one = csg_when_contradiction(&when, CSG_CONTRADICTION_VCPU);

	CU_ASSERT_EQUAL(one.kind, CSG_CONTRADICTION_VCPU);
	CU_ASSERT_EQUAL(one.cpu, 3);
	CU_ASSERT_EQUAL(one.begin, 200);
	CU_ASSERT_EQUAL(one.end, 300);
	CU_ASSERT_EQUAL(one.begin_time, 20);
	CU_ASSERT_EQUAL(one.end_time, 30);
	/* It goes on. */
	when.end = 0;
	CU_ASSERT_EQUAL(csg_when_contradiction(&when, CSG_CONTRADICTION_VCPU).end, CSG_NO_INDEX);
}

static void that_of_times_begins_with_the_upper_bits(void)
{
	struct csg_when when = there;
	struct csg_contradiction one;

	/* Others than times say who ran. */
	one = csg_when_contradicted_times(&when, CSG_CONTRADICTION_ON_CPU);
	CU_ASSERT_EQUAL(one.begin, 200);
	CU_ASSERT_EQUAL(one.begin_time, 20);
	when.block = 100;
	when.block_from = 10;
	one = csg_when_contradicted_times(&when, CSG_CONTRADICTION_ON_CPU);
	CU_ASSERT_EQUAL(one.begin, 100);
	CU_ASSERT_EQUAL(one.begin_time, 10);
	CU_ASSERT_EQUAL(one.end, 300);
	CU_ASSERT_EQUAL(one.end_time, 30);
	CU_ASSERT_EQUAL(csg_when_contradiction(&when, CSG_CONTRADICTION_ON_CPU).begin, 200);
}

CSG_SUITE(guest_facts, when, CSG_TEST(a_contradiction_is_where_the_segment_is),
	  CSG_TEST(that_of_times_begins_with_the_upper_bits));
