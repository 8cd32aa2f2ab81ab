/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <stdlib.h>

#include "util/ring.h"

static void a_queue_goes_around_the_end_of_its_array(void)
{
	struct csg_ring ring = {.capacity = 4};
	int array[4], next = 0, oldest = 0;

	for (int round = 0; round < 10; round++) {
		while (ring.count < 4)
			array[csg_ring_push(&ring)] = next++;
		CU_ASSERT_EQUAL(array[csg_ring_at(&ring, 3)], next - 1);
		for (int i = 0; i < 3; i++, oldest++) {
			CU_ASSERT_EQUAL(array[csg_ring_at(&ring, 0)], oldest);
			csg_ring_pop(&ring);
		}
	}
	CU_ASSERT_EQUAL(ring.count, 1);
	csg_ring_clear(&ring);
	CU_ASSERT_EQUAL(csg_ring_push(&ring), 0);
}

static void a_full_ring_grows_in_order_wherever_it_begins(void)
{
	for (int first = 0; first < 20; first++) {
		struct csg_ring ring = {0};
		int *array = NULL;

		for (int i = 0; i < 8 + first; i++) {
			CU_ASSERT_EQUAL(csg_ring_grow(&ring, (void **)&array, sizeof(*array)), 0);
			if (i < first)
				array[csg_ring_push(&ring)] = -1;
			else
				array[csg_ring_push(&ring)] = i;
			if (i < first)
				csg_ring_pop(&ring);
		}
		CU_ASSERT_EQUAL(ring.capacity, 8);
		CU_ASSERT_EQUAL(csg_ring_grow(&ring, (void **)&array, sizeof(*array)), 0);
		CU_ASSERT_EQUAL(ring.capacity, 16);
		for (int i = 0; i < 8; i++)
			CU_ASSERT_EQUAL(array[csg_ring_at(&ring, (size_t)i)], first + i);
		free(array);
	}
}

CSG_SUITE(util, ring, CSG_TEST(a_queue_goes_around_the_end_of_its_array),
	  CSG_TEST(a_full_ring_grows_in_order_wherever_it_begins));
