/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/time_conv.h"
#include "csguest/error.h"
#include "perf_bytes.h"
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

static void a_record_is_read_with_what_it_has(void)
{
	struct csg_time_conv conv;
	struct pb pb = {0};

	/* of a Neoverse N1: 25 MHz, 56 bits */
	pb_begin(&pb, CSG_PERF_RECORD_TIME_CONV, 0);
	pb_u64(&pb, 21);
	pb_u64(&pb, 41943040);
	pb_u64(&pb, UINT64_C(0xfffffff696d0b524));
	CU_ASSERT_EQUAL(csg_time_conv_read(&conv, pb.bytes, pb.n), 0);
	CU_ASSERT(conv.valid && !conv.short_counter);
	CU_ASSERT_EQUAL(conv.shift, 21);
	CU_ASSERT_EQUAL(conv.mult, 41943040);
	pb_u64(&pb, UINT64_C(0x79a0b116d23));
	pb_u64(&pb, UINT64_C(0xffffffffffffff));
	pb_put(&pb, (const uint8_t[]){1, 1, 0, 0, 0, 0, 0, 0}, 8);
	CU_ASSERT_EQUAL(csg_time_conv_read(&conv, pb.bytes, pb.n), 0);
	CU_ASSERT(conv.valid && conv.short_counter);
	CU_ASSERT_EQUAL(conv.mask, UINT64_C(0xffffffffffffff));
	pb.bytes[48] = 0; /* cap_user_time_zero */
	CU_ASSERT_EQUAL(csg_time_conv_read(&conv, pb.bytes, pb.n), 0);
	CU_ASSERT(!conv.valid);
	CU_ASSERT_EQUAL(csg_time_conv_read(&conv, pb.bytes, 31), -CSG_E_CORRUPT);
	pb.bytes[8] = 33;
	CU_ASSERT_EQUAL(csg_time_conv_read(&conv, pb.bytes, pb.n), -CSG_E_CORRUPT);
	CU_ASSERT(!conv.valid);
	pb_free(&pb);
}

CSG_SUITE(recording, time_conv, CSG_TEST(ticks_become_nanoseconds),
	  CSG_TEST(large_counters_do_not_overflow), CSG_TEST(a_short_counter_is_extended),
	  CSG_TEST(the_way_back_reaches_the_same_nanosecond),
	  CSG_TEST(without_a_conversion_time_is_unknown),
	  CSG_TEST(a_record_is_read_with_what_it_has));
