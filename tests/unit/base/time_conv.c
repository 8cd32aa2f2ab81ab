/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/time_conv.h"
#include "suite.h"

static void ticks_become_nanoseconds(void)
{
	const struct csg_time_conv small = {
		.valid = true, .shift = 4, .mult = 40 << 4, .zero = 1000};

	CU_ASSERT_EQUAL(csg_time_conv_to_ns(&small, 0), 1000);
	CU_ASSERT_EQUAL(csg_time_conv_to_ns(&small, 25000000), UINT64_C(1000001000));
}

static void large_counters_do_not_overflow(void)
{
	const struct csg_time_conv conv = {
		.valid = true, .shift = 28, .mult = 40u << 26, .zero = 0};

	/* 10 ns a tick, 30 years of them. */
	CU_ASSERT_EQUAL(csg_time_conv_to_ns(&conv, UINT64_C(94672800000000000)),
			UINT64_C(946728000000000000));
}

static void a_short_counter_is_extended(void)
{
	const struct csg_time_conv conv = {.valid = true,
					   .short_counter = true,
					   .shift = 1,
					   .mult = 2,
					   .cycles = 0xfffffff0,
					   .mask = 0xffffffff};

	CU_ASSERT_EQUAL(csg_time_conv_to_ns(&conv, 0x10), UINT64_C(0x100000010));
}

static void the_way_back_reaches_the_same_nanosecond(void)
{
	const struct csg_time_conv conv = {
		.valid = true, .shift = 24, .mult = 167772160, .zero = 77};

	for (uint64_t counter = 1; counter < UINT64_C(1) << 50; counter = counter * 3 + 1) {
		uint64_t ns = csg_time_conv_to_ns(&conv, counter);
		uint64_t back = csg_time_conv_to_counter(&conv, ns);

		CU_ASSERT_EQUAL(csg_time_conv_to_ns(&conv, back), ns);
		CU_ASSERT(back <= counter && counter - back < 2);
	}
}

static void without_a_conversion_time_is_unknown(void)
{
	struct csg_time_conv none = {.shift = 4, .mult = 40 << 4};

	CU_ASSERT_EQUAL(csg_time_conv_to_ns(&none, 5), 0);
	CU_ASSERT_EQUAL(csg_time_conv_to_counter(&none, 5), 0);
}

CSG_SUITE(base, time_conv, CSG_TEST(ticks_become_nanoseconds),
	  CSG_TEST(large_counters_do_not_overflow), CSG_TEST(a_short_counter_is_extended),
	  CSG_TEST(the_way_back_reaches_the_same_nanosecond),
	  CSG_TEST(without_a_conversion_time_is_unknown));
