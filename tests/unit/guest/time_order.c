/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/time_order.h"

#include "suite.h"

#define VCPU 41

static uint64_t place;
static struct csg_time_gap gap;

static bool take(struct csg_time_order *order, int32_t tid, uint64_t timestamp)
{
	return csg_time_order_take(order, tid, place += 10, timestamp, &gap);
}

static void time_that_rises_is_believed(void)
{
	struct csg_time_order order = {0};

	place = 0;
	CU_ASSERT(take(&order, VCPU, 0x9fbf61));
	CU_ASSERT(take(&order, VCPU, 0x9fbf61));
	CU_ASSERT(take(&order, -1, 7));
	CU_ASSERT(take(&order, 42, 0x300));
	CU_ASSERT(take(&order, VCPU, 0x9fbf9f));
	CU_ASSERT_EQUAL(gap.from, 0);
}

/* What two-guests-user has where 4 KB are gone: 0x9fcb07 was sent as 0x0b07, 14 bits. */
static void time_that_goes_back_is_wrong_until_the_upper_bits_change(void)
{
	struct csg_time_order order = {0};

	place = 0;
	take(&order, VCPU, 0x9fbf61);
	CU_ASSERT_FALSE(take(&order, VCPU, 0x9f8b07));
	CU_ASSERT_EQUAL(gap.from, 10);
	CU_ASSERT_FALSE(take(&order, VCPU, 0x9f8b45));
	CU_ASSERT_EQUAL(gap.from, 0);
	/* Later than all before, and yet too low. */
	CU_ASSERT_FALSE(take(&order, VCPU, 0x9fbffe));
	CU_ASSERT(take(&order, VCPU, 0xa00010));
}

/* The guest's were too high, from the jump on, and what another counter has restated is right. */
static void what_another_counter_follows_was_wrong_up_to_there(void)
{
	struct csg_time_order order = {0};

	place = 0;
	take(&order, VCPU, 0x29ed79f);
	take(&order, VCPU, 0x29ed7dd);
	take(&order, VCPU, 0x29ef6aa);
	take(&order, VCPU, 0x29ef6e8);
	take(&order, 42, 0x5550000);
	take(&order, 42, 0x5550010);
	CU_ASSERT(take(&order, VCPU, 0x29ee700));
	CU_ASSERT_EQUAL(gap.from, 20);
	CU_ASSERT_EQUAL(gap.until, 50);
	CU_ASSERT(take(&order, VCPU, 0x29ee740));
	CU_ASSERT_EQUAL(gap.until, 0);
	/* What was not believed was nobody's time. */
	CU_ASSERT_FALSE(take(&order, VCPU, 0x28ec000));
	CU_ASSERT_EQUAL(gap.from, 80);
	CU_ASSERT_EQUAL(gap.until, 90);
	take(&order, 42, 0x5550020);
	CU_ASSERT(take(&order, VCPU, 0x28eb000));
	CU_ASSERT_EQUAL(gap.until, 0);
}

static void a_packet_of_another_counter_restates_the_upper_bits(void)
{
	struct csg_time_order order = {0};

	take(&order, VCPU, 0x9fbf61);
	CU_ASSERT_FALSE(take(&order, VCPU, 0x9f8b07));
	CU_ASSERT(take(&order, -1, 0x5555aaaa));
	CU_ASSERT(take(&order, VCPU, 0x9f8b45));
	/* Only for as many bits as the packet may have contained. */
	CU_ASSERT_FALSE(take(&order, VCPU, 0x1f8b45));
	CU_ASSERT(take(&order, -1, 0x1f8b45 ^ 1u << 26));
	CU_ASSERT_FALSE(take(&order, VCPU, 0x1f8b46));
	/* One with the same upper bits restates none. */
	order = (struct csg_time_order){0};
	take(&order, VCPU, 0x9fbf61);
	CU_ASSERT(take(&order, -1, 0x9f8100));
	CU_ASSERT_FALSE(take(&order, VCPU, 0x9f8b07));
}

static void upper_bits_that_change_as_it_goes_back_are_not_believed(void)
{
	struct csg_time_order order = {0};

	take(&order, VCPU, 0xa00010);
	CU_ASSERT_FALSE(take(&order, VCPU, 0x9fff00));
}

/* What two-guests-user has where 64 KB are gone: 0x2a036aa was sent as 0x36aa. */
static void a_loss_may_be_at_an_earlier_jump(void)
{
	struct csg_time_order order = {0};

	place = 0;
	take(&order, VCPU, 0x29ed79f);
	take(&order, VCPU, 0x29ed7dd);
	CU_ASSERT(take(&order, VCPU, 0x29ef6aa));
	CU_ASSERT(take(&order, VCPU, 0x29ef6e8));
	CU_ASSERT_FALSE(take(&order, VCPU, 0x2804005));
	CU_ASSERT_EQUAL(gap.from, 20);
	/* One before which the upper bits changed was none. */
	order = (struct csg_time_order){0};
	place = 0;
	take(&order, VCPU, 0x29ed79f);
	take(&order, VCPU, 0x29ed7dd);
	take(&order, VCPU, 0x29ef6aa);
	take(&order, VCPU, 0x29f0010);
	take(&order, VCPU, 0x29f0050);
	CU_ASSERT_FALSE(take(&order, VCPU, 0x2804005));
	CU_ASSERT_EQUAL(gap.from, 50);
	/* Nor is one where the packet has no more than the bits that go back, or others came in
	 * between. */
	order = (struct csg_time_order){0};
	place = 0;
	take(&order, VCPU, 0x29ed79f);
	take(&order, VCPU, 0x29ed7dd);
	take(&order, VCPU, 0x29ef6aa);
	take(&order, VCPU, 0x29ef6e8);
	CU_ASSERT_FALSE(take(&order, VCPU, 0x29ec005));
	CU_ASSERT_EQUAL(gap.from, 40);
	order = (struct csg_time_order){0};
	place = 0;
	take(&order, VCPU, 0x29ed79f);
	take(&order, VCPU, 0x29ed7dd);
	take(&order, -1, 0x29ec000);
	take(&order, VCPU, 0x29ef6aa);
	take(&order, VCPU, 0x29ef6e8);
	CU_ASSERT_FALSE(take(&order, VCPU, 0x2804005));
	CU_ASSERT_EQUAL(gap.from, 50);
	CU_ASSERT_EQUAL(gap.until, 60);
}

static void it_may_be_at_the_first_jump_of_several(void)
{
	struct csg_time_order order = {0};

	place = 0;
	take(&order, VCPU, 0x29ec79f); /* far apart at first, then at its usual distance */
	take(&order, VCPU, 0x29ed79f);
	take(&order, VCPU, 0x29ed7dd);
	take(&order, VCPU, 0x29ee000);
	take(&order, VCPU, 0x29ee03e);
	take(&order, VCPU, 0x29efff0);
	CU_ASSERT_FALSE(take(&order, VCPU, 0x2804005));
	CU_ASSERT_EQUAL(gap.from, 30);
}

static void after_a_known_loss_nothing_goes_back(void)
{
	struct csg_time_order order = {0};

	take(&order, VCPU, 0x9fbf61);
	CU_ASSERT_FALSE(take(&order, VCPU, 0x9f8b07));
	csg_time_order_break(&order);
	CU_ASSERT(take(&order, VCPU, 0x100));
	CU_ASSERT_EQUAL(gap.from, 0);
}

static void many_threads_are_remembered_no_longer(void)
{
	struct csg_time_order order = {0};

	for (int32_t tid = 1; tid <= 3 * CSG_TIME_ORDER_THREADS; tid++)
		CU_ASSERT(take(&order, tid, (uint64_t)(1000 - tid)));
	CU_ASSERT(order.count <= CSG_TIME_ORDER_THREADS);
}

CSG_SUITE(guest, time_order, CSG_TEST(time_that_rises_is_believed),
	  CSG_TEST(time_that_goes_back_is_wrong_until_the_upper_bits_change),
	  CSG_TEST(what_another_counter_follows_was_wrong_up_to_there),
	  CSG_TEST(a_packet_of_another_counter_restates_the_upper_bits),
	  CSG_TEST(upper_bits_that_change_as_it_goes_back_are_not_believed),
	  CSG_TEST(a_loss_may_be_at_an_earlier_jump),
	  CSG_TEST(it_may_be_at_the_first_jump_of_several),
	  CSG_TEST(after_a_known_loss_nothing_goes_back),
	  CSG_TEST(many_threads_are_remembered_no_longer));
