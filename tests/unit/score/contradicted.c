/* SPDX-License-Identifier: BSD-3-Clause */
#include "score/contradicted.h"

#include "suite.h"

static const struct csg_contradiction list[] = {
	{.cpu = 1, .begin = 100, .end = 200},
	{.cpu = -1, .begin = 500, .end = CSG_NO_INDEX},
	{.cpu = 0, .begin = CSG_NO_INDEX, .end = CSG_NO_INDEX, .begin_time = 10, .end_time = 20},
	{.cpu = -1, .vm = 7, .begin = CSG_NO_INDEX, .begin_time = 30, .end_time = 40},
	{.cpu = -1, .begin = CSG_NO_INDEX},
};

/* How many of three instructions count. */
static uint64_t of(int32_t cpu, uint64_t time, uint64_t index, uint8_t kind, uint8_t reason)
{
	struct csg_contradicted c = {.list = list, .n = sizeof(list) / sizeof(list[0])};
	const struct csg_element e = {.kind = kind, .index = index, .instructions = 3};
	const struct csg_owner owner = {.reason = reason};

	csg_contradicted_add(&c, cpu, time, &e, &owner);
	return c.instructions;
}

static void trace_has_intervals_of_bytes(void)
{
	CU_ASSERT_EQUAL(of(1, 0, 99, CSG_ELEMENT_RANGE, 0), 0);
	CU_ASSERT_EQUAL(of(1, 0, 100, CSG_ELEMENT_RANGE, 0), 3);
	CU_ASSERT_EQUAL(of(1, 0, 199, CSG_ELEMENT_RANGE, 0), 3);
	CU_ASSERT_EQUAL(of(1, 0, 200, CSG_ELEMENT_RANGE, 0), 0);
	CU_ASSERT_EQUAL(of(0, 0, 100, CSG_ELEMENT_RANGE, 0), 0);
	CU_ASSERT_EQUAL(of(1, 0, 100, CSG_ELEMENT_EXCEPTION, 0), 0);
	/* To the end, on each CPU. */
	CU_ASSERT_EQUAL(of(0, 0, 1 << 30, CSG_ELEMENT_RANGE, 0), 3);
}

static void sideband_has_intervals_of_time(void)
{
	CU_ASSERT_EQUAL(of(0, 9, 0, CSG_ELEMENT_RANGE, 0), 0);
	CU_ASSERT_EQUAL(of(0, 10, 0, CSG_ELEMENT_RANGE, 0), 3);
	CU_ASSERT_EQUAL(of(0, 20, 0, CSG_ELEMENT_RANGE, 0), 3);
	CU_ASSERT_EQUAL(of(0, 21, 0, CSG_ELEMENT_RANGE, 0), 0);
	CU_ASSERT_EQUAL(of(1, 15, 0, CSG_ELEMENT_RANGE, 0), 0);
	/* Of a guest's time nobody knows what it is in the host's; a time that is not known is no
	 * time. */
	CU_ASSERT_EQUAL(of(0, 35, 0, CSG_ELEMENT_RANGE, 0), 0);
	CU_ASSERT_EQUAL(of(0, 0, 0, CSG_ELEMENT_RANGE, 0), 0);
}

static void owner_that_is_a_conflict_counts(void)
{
	CU_ASSERT_EQUAL(of(0, 0, 0, CSG_ELEMENT_RANGE, CSG_REASON_CONFLICT), 3);
	CU_ASSERT_EQUAL(of(0, 0, 0, CSG_ELEMENT_RANGE, CSG_REASON_SWITCH), 0);
}

CSG_SUITE(score, contradicted, CSG_TEST(trace_has_intervals_of_bytes),
	  CSG_TEST(sideband_has_intervals_of_time), CSG_TEST(owner_that_is_a_conflict_counts));
