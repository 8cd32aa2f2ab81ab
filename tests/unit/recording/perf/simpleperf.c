/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/perf/simpleperf.h"

#include "recording/perf_bytes.h"
#include "suite.h"

static void an_index_without_count_is_simpleperfs(void)
{
	struct pb pb = {0};

	pb_u64(&pb, 0x26a8);
	pb_u64(&pb, 0x1b0);
	CU_ASSERT(csg_simpleperf_index(pb.bytes, 16));
	CU_ASSERT(!csg_simpleperf_index(pb.bytes, 8));
	CU_ASSERT(!csg_simpleperf_index(pb.bytes, 0));
	pb_free(&pb);
	pb_u64(&pb, 1);
	pb_u64(&pb, 0x26a8);
	pb_u64(&pb, 48);
	CU_ASSERT(!csg_simpleperf_index(pb.bytes, 24));
	pb_free(&pb);
}

static void its_own_records_may_be_large(void)
{
	static const uint8_t own[] = {0x01, 0x80, 0, 0, 0x02, 0, 0x10, 0};
	static const uint8_t perfs[] = {0x01, 0, 0, 0, 0x02, 0, 0x10, 0};

	CU_ASSERT_EQUAL(csg_perf_record_size(own), 0x20010);
	CU_ASSERT_EQUAL(csg_perf_record_size(perfs), 0x10);
}

CSG_SUITE(recording_perf, simpleperf, CSG_TEST(an_index_without_count_is_simpleperfs),
	  CSG_TEST(its_own_records_may_be_large));
