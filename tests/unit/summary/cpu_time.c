/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "summary/cpu_time.h"

static struct csg_cpu_time sums;

static void add(uint32_t owner, uint8_t gap, uint64_t begin, uint64_t end)
{
	const struct csg_slice slice = {.owner = owner,
					.gap = gap,
					.begin = begin,
					.end = end,
					.instructions = 2 * (end - begin),
					.missing = 1};

	CU_ASSERT_EQUAL(csg_cpu_time_add(&sums, &slice), 0);
}

static void slices_add_up_by_owner(void)
{
	csg_cpu_time_init(&sums);
	add(3, 0, 100, 110);
	add(1, 0, 110, 111);
	add(3, 0, 50, 70);
	CU_ASSERT_FATAL(sums.n > 3);
	CU_ASSERT_EQUAL(sums.by_owner[3].time, 30);
	CU_ASSERT_EQUAL(sums.by_owner[3].instructions, 60);
	CU_ASSERT_EQUAL(sums.by_owner[3].missing, 2);
	CU_ASSERT_EQUAL(sums.by_owner[3].slices, 2);
	CU_ASSERT_EQUAL(sums.by_owner[1].time, 1);
	CU_ASSERT_EQUAL(sums.by_owner[0].slices, 0);
	CU_ASSERT_EQUAL(sums.all.time, 31);
	CU_ASSERT_EQUAL(sums.begin, 50);
	CU_ASSERT_EQUAL(sums.end, 111);
	csg_cpu_time_fini(&sums);
	CU_ASSERT_EQUAL(sums.n, 0);
}

static void time_without_trace_is_its_owners_and_counted_apart(void)
{
	csg_cpu_time_init(&sums);
	add(1, CSG_GAP_TRACE_ON, 0, 4);
	add(1, 0, 4, 10);
	add(1, CSG_GAP_OVERFLOW, 10, 11);
	add(CSG_SLICE_LOST, CSG_GAP_TRACE_ON, 11, 13);
	CU_ASSERT_FATAL(sums.n > 1);
	CU_ASSERT_EQUAL(sums.by_owner[1].time, 11);
	CU_ASSERT_EQUAL(sums.by_owner[1].untraced, 5);
	CU_ASSERT_EQUAL(sums.all.untraced, 5);
	CU_ASSERT_EQUAL(sums.lost[CSG_GAP_TRACE_ON].untraced, 0);
	csg_cpu_time_fini(&sums);
}

static void what_is_left_out_belongs_to_the_span(void)
{
	const struct csg_slice slice = {.owner = 2, .begin = 5, .end = 300, .instructions = 9};

	csg_cpu_time_init(&sums);
	add(1, 0, 100, 110);
	CU_ASSERT_EQUAL(csg_cpu_time_leave_out(&sums, &slice), 0);
	CU_ASSERT_FATAL(sums.n > 2);
	CU_ASSERT_EQUAL(sums.by_owner[2].slices, 0);
	CU_ASSERT_EQUAL(sums.by_owner[2].time, 0);
	CU_ASSERT_EQUAL(sums.by_owner[2].left_out, 1);
	CU_ASSERT_EQUAL(sums.all.time, 305);
	CU_ASSERT_EQUAL(sums.begin, 5);
	CU_ASSERT_EQUAL(sums.end, 300);
	csg_cpu_time_fini(&sums);
}

static void lost_trace_adds_up_by_its_gap(void)
{
	csg_cpu_time_init(&sums);
	add(CSG_SLICE_LOST, CSG_GAP_OVERFLOW, 0, 5);
	add(CSG_SLICE_LOST, CSG_GAP_TRACE_ON, 5, 6);
	add(CSG_SLICE_LOST, CSG_GAP_OVERFLOW, 9, 10);
	add(CSG_SLICE_LOST, 255, 10, 12);
	CU_ASSERT_EQUAL(sums.n, 0);
	CU_ASSERT_EQUAL(sums.lost[CSG_GAP_OVERFLOW].time, 6);
	CU_ASSERT_EQUAL(sums.lost[CSG_GAP_OVERFLOW].slices, 2);
	CU_ASSERT_EQUAL(sums.lost[CSG_GAP_TRACE_ON].time, 1);
	CU_ASSERT_EQUAL(sums.lost[CSG_GAP_NONE].time, 2);
	CU_ASSERT_EQUAL(sums.all.time, 9);
	csg_cpu_time_fini(&sums);
}

static void a_part_of_what_is_traced_is_not(void)
{
	struct csg_cpu_time_sum sum = {.time = 100, .untraced = 40};

	csg_cpu_time_sum_scale(&sum, 0.5);
	CU_ASSERT_EQUAL(sum.time, 100);
	CU_ASSERT_EQUAL(sum.untraced, 70);
	csg_cpu_time_sum_scale(&sum, 2);
	CU_ASSERT_EQUAL(sum.untraced, 40);
	csg_cpu_time_sum_scale(&sum, 2);
	CU_ASSERT_EQUAL(sum.untraced, 0);
	csg_cpu_time_sum_scale(&sum, 0);
	CU_ASSERT_EQUAL(sum.untraced, 100);
}

static void what_is_lost_or_not_traced_is_no_traced_time(void)
{
	csg_cpu_time_init(&sums);
	add(1, CSG_GAP_NONE, 0, 100);
	add(1, CSG_GAP_TRACE_ON, 100, 130);
	add(CSG_SLICE_LOST, CSG_GAP_OVERFLOW, 130, 150);
	CU_ASSERT_EQUAL(sums.all.time, 150);
	CU_ASSERT_EQUAL(csg_cpu_time_traced(&sums), 100);
	csg_cpu_time_fini(&sums);
}

CSG_SUITE(summary, cpu_time, CSG_TEST(a_part_of_what_is_traced_is_not),
	  CSG_TEST(what_is_lost_or_not_traced_is_no_traced_time), CSG_TEST(slices_add_up_by_owner),
	  CSG_TEST(time_without_trace_is_its_owners_and_counted_apart),
	  CSG_TEST(what_is_left_out_belongs_to_the_span), CSG_TEST(lost_trace_adds_up_by_its_gap));
