/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/slices/time_slices.h"

#include "suite.h"

static void what_lies_inside_a_slice_is_found(void)
{
	static const struct csg_attribution_time_slice slices[] = {
		{10, 20, 1, 1, 0}, {20, 30, 2, 2, 0}, {40, 50, 3, 3, 0}};

	CU_ASSERT_PTR_EQUAL(csg_time_slices_find(slices, 3, 11, 20), &slices[0]);
	CU_ASSERT_PTR_EQUAL(csg_time_slices_find(slices, 3, 21, 22), &slices[1]);
	CU_ASSERT_PTR_EQUAL(csg_time_slices_find(slices, 3, 41, 50), &slices[2]);
	CU_ASSERT_PTR_NULL(csg_time_slices_find(slices, 3, 10, 11));
	CU_ASSERT_PTR_NULL(csg_time_slices_find(slices, 3, 15, 25));
	CU_ASSERT_PTR_NULL(csg_time_slices_find(slices, 3, 20, 21));
	CU_ASSERT_PTR_NULL(csg_time_slices_find(slices, 3, 35, 45));
	CU_ASSERT_PTR_NULL(csg_time_slices_find(slices, 3, 45, 51));
	CU_ASSERT_PTR_NULL(csg_time_slices_find(NULL, 0, 1, 2));
}

CSG_SUITE(guest_slices, time_slices, CSG_TEST(what_lies_inside_a_slice_is_found));
