/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/contradictions.h"
#include "suite.h"

static struct csg_contradiction in_trace(int32_t cpu, uint64_t begin)
{
	return (struct csg_contradiction){.kind = CSG_CONTRADICTION_EXIT_VECTORS,
					  .cpu = cpu,
					  .begin = begin,
					  .end = begin + 1,
					  .text = "a"};
}

static struct csg_contradiction in_sideband(uint64_t time)
{
	return (struct csg_contradiction){.kind = CSG_CONTRADICTION_SWITCH_RECORDS,
					  .begin = CSG_NO_INDEX,
					  .end = CSG_NO_INDEX,
					  .begin_time = time};
}

static void they_are_sorted_by_place(void)
{
	struct csg_contradictions c = {0};
	struct csg_contradiction one;

	for (uint64_t n = 100; n; n--) {
		one = in_trace((int32_t)(n % 2), n);
		CU_ASSERT_EQUAL(csg_contradictions_add(&c, &one), 0);
	}
	CU_ASSERT_EQUAL_FATAL(c.count, 100);
	CU_ASSERT_EQUAL(c.list[0].cpu, 0);
	CU_ASSERT_EQUAL(c.list[0].begin, 2);
	CU_ASSERT_EQUAL(c.list[99].cpu, 1);
	CU_ASSERT_EQUAL(c.list[99].begin, 99);
	csg_contradictions_fini(&c);
	CU_ASSERT_EQUAL(c.count, 0);
}

static void one_that_is_found_again_is_replaced(void)
{
	struct csg_contradictions c = {0};
	struct csg_contradiction one = in_trace(1, 7);

	CU_ASSERT_EQUAL(csg_contradictions_add(&c, &one), 0);
	one.end = 90;
	one.begin_time = 5; /* the survey did not know the time */
	CU_ASSERT_EQUAL(csg_contradictions_add(&c, &one), 0);
	CU_ASSERT_EQUAL_FATAL(csg_contradictions_total(&c), 1);
	CU_ASSERT_EQUAL(c.list[0].end, 90);
	CU_ASSERT_EQUAL(c.list[0].begin_time, 5);
	one.begin_time = 0;
	CU_ASSERT_EQUAL(csg_contradictions_add(&c, &one), 0);
	CU_ASSERT_EQUAL(c.list[0].begin_time, 5);
	one.vm = 500;
	CU_ASSERT_EQUAL(csg_contradictions_add(&c, &one), 0);
	CU_ASSERT_EQUAL(csg_contradictions_total(&c), 2);
	csg_contradictions_fini(&c);
}

static void those_in_sideband_differ_by_their_time(void)
{
	struct csg_contradictions c = {0};

	for (uint64_t time = 10; time < 14; time++) {
		struct csg_contradiction one = in_sideband(time & ~1u);

		CU_ASSERT_EQUAL(csg_contradictions_add(&c, &one), 0);
	}
	CU_ASSERT_EQUAL(csg_contradictions_total(&c), 2);
	csg_contradictions_fini(&c);
}

static void that_of_a_record_can_get_other_times(void)
{
	struct csg_contradictions c = {0};
	struct csg_contradiction one = in_sideband(100);

	for (uint64_t record = 150; record < 153; record++) {
		one.record_time = record;
		CU_ASSERT_EQUAL(csg_contradictions_add(&c, &one), 0);
	}
	one.record_time = 151;
	one.begin_time = 120;
	one.end_time = 160;
	csg_contradictions_narrow(&c, &one);
	CU_ASSERT_EQUAL_FATAL(c.count, 3);
	CU_ASSERT_EQUAL(c.list[0].begin_time, 100);
	CU_ASSERT_EQUAL(c.list[1].begin_time, 120);
	CU_ASSERT_EQUAL(c.list[1].end_time, 160);
	CU_ASSERT_EQUAL(c.list[2].begin_time, 100);
	one.record_time = 170;
	csg_contradictions_narrow(&c, &one);
	CU_ASSERT_EQUAL(c.count, 3);
	csg_contradictions_fini(&c);
}

static void what_is_too_much_is_counted(void)
{
	struct csg_contradictions c = {0};

	for (uint64_t time = 0; time < CSG_CONTRADICTIONS_MAX + 3; time++) {
		struct csg_contradiction one = in_sideband(time);

		CU_ASSERT_EQUAL(csg_contradictions_add(&c, &one), 0);
	}
	CU_ASSERT_EQUAL(c.count, CSG_CONTRADICTIONS_MAX);
	CU_ASSERT_EQUAL(csg_contradictions_total(&c), CSG_CONTRADICTIONS_MAX + 3);
	csg_contradictions_fini(&c);
}

static void every_kind_has_a_name(void)
{
	for (int kind = 0; kind < CSG_CONTRADICTION_KINDS; kind++)
		CU_ASSERT(csg_contradiction_name((enum csg_contradiction_kind)kind)[0] != '\0');
	CU_ASSERT_STRING_EQUAL(csg_contradiction_name(CSG_CONTRADICTION_KINDS), "invalid");
}

static void they_are_read_as_they_were_written(void)
{
	struct csg_contradictions c = {0};
	struct csg_contradiction one = {.size = sizeof(one),
					.kind = 1,
					.cpu = -1,
					.vm = 136,
					.begin = CSG_NO_INDEX,
					.end = 77,
					.begin_time = 5,
					.record_time = UINT64_MAX,
					.text = "what the two say"},
				 read;
	struct csg_pack pack = {0};
	struct csg_unpack u;

	CU_ASSERT_EQUAL(csg_contradictions_add(&c, &one), 0);
	csg_contradictions_pack(&c, &pack);
	u = (struct csg_unpack){.at = pack.bytes, .end = pack.bytes + pack.n};
	CU_ASSERT_EQUAL(csg_contradictions_unpack_count(&u), 1);
	CU_ASSERT(csg_contradiction_unpack(&u, &read));
	CU_ASSERT_EQUAL(csg_unpack_end(&u), 0);
	CU_ASSERT(read.kind == 1 && read.cpu == -1 && read.vm == 136 && read.end == 77);
	CU_ASSERT(read.begin == CSG_NO_INDEX && read.begin_time == 5 && !read.end_time);
	CU_ASSERT_EQUAL(read.record_time, UINT64_MAX);
	CU_ASSERT_STRING_EQUAL(read.text, one.text);
	CU_ASSERT(!csg_contradiction_unpack(&u, &read));
	pack.bytes[8] = CSG_CONTRADICTION_KINDS;
	u = (struct csg_unpack){.at = pack.bytes + 8, .end = pack.bytes + pack.n};
	CU_ASSERT(!csg_contradiction_unpack(&u, &read));
	csg_pack_fini(&pack);
	csg_contradictions_fini(&c);
}

CSG_SUITE(base, contradictions, CSG_TEST(they_are_sorted_by_place),
	  CSG_TEST(one_that_is_found_again_is_replaced),
	  CSG_TEST(those_in_sideband_differ_by_their_time),
	  CSG_TEST(that_of_a_record_can_get_other_times), CSG_TEST(what_is_too_much_is_counted),
	  CSG_TEST(every_kind_has_a_name), CSG_TEST(they_are_read_as_they_were_written));
