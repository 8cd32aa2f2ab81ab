/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/perf/time_conv.h"
#include "csguest/error.h"
#include "recording/perf_bytes.h"
#include "suite.h"

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

CSG_SUITE(recording_perf, time_conv, CSG_TEST(a_record_is_read_with_what_it_has));
