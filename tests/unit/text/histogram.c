/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <string.h>

#include "text/histogram.h"

static struct csg_histogram h;

static void small_numbers_are_exact(void)
{
	memset(&h, 0, sizeof(h));
	for (uint64_t i = 1; i <= 20; i++)
		csg_histogram_add(&h, i);
	CU_ASSERT_EQUAL(csg_histogram_percentile(&h, 50), 10);
	CU_ASSERT_EQUAL(csg_histogram_percentile(&h, 90), 18);
	CU_ASSERT_EQUAL(csg_histogram_percentile(&h, 100), 20);
	CU_ASSERT_EQUAL(csg_histogram_percentile(&h, 0), 1);
	CU_ASSERT_EQUAL(h.min, 1);
	CU_ASSERT_EQUAL(h.max, 20);
	CU_ASSERT_EQUAL(h.sum, 210);
}

static void large_numbers_are_right_within_three_percent(void)
{
	memset(&h, 0, sizeof(h));
	for (uint64_t i = 1; i <= 100000; i++)
		csg_histogram_add(&h, i * 1000);
	for (int percent = 1; percent <= 100; percent++) {
		double is = (double)csg_histogram_percentile(&h, percent), want = percent * 1e6;

		CU_ASSERT(is >= want && is <= want * 1.033);
	}
}

static void every_number_has_a_slot(void)
{
	memset(&h, 0, sizeof(h));
	csg_histogram_add(&h, 0);
	csg_histogram_add(&h, UINT64_MAX);
	for (int i = 0; i < 64; i++)
		csg_histogram_add(&h, UINT64_C(1) << i);
	CU_ASSERT_EQUAL(h.count, 66);
	CU_ASSERT_EQUAL(csg_histogram_percentile(&h, 100), UINT64_MAX);
}

static void nothing_has_no_percentile(void)
{
	memset(&h, 0, sizeof(h));
	CU_ASSERT_EQUAL(csg_histogram_percentile(&h, 50), 0);
}

CSG_SUITE(text, histogram, CSG_TEST(small_numbers_are_exact),
	  CSG_TEST(large_numbers_are_right_within_three_percent), CSG_TEST(every_number_has_a_slot),
	  CSG_TEST(nothing_has_no_percentile));
