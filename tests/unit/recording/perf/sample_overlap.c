/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/perf/sample_overlap.h"

#include <string.h>

#include <CUnit/CUnit.h>

#include "suite.h"

#define N 400

/* Bytes of one AUX buffer, none of which repeat for long. */
static const uint8_t *buffer(void)
{
	static uint8_t bytes[N];
	uint32_t state = 7;

	for (size_t i = 0; i < N; i++) {
		state = state * 1103515245 + 12345;
		bytes[i] = (uint8_t)(state >> 16) | 1;
	}
	return bytes;
}

static size_t same(size_t a, size_t a_end, size_t b, size_t b_end)
{
	const uint8_t *bytes = buffer();
	uint32_t scratch[N];
	size_t pad;

	return csg_sample_overlap(bytes + a, a_end - a, bytes + b, b_end - b, 7, scratch, &pad);
}

static void bytes_in_common_end_the_one_and_begin_the_other(void)
{
	CU_ASSERT_EQUAL(same(0, 200, 100, 300), 100);
	CU_ASSERT_EQUAL(same(0, 200, 168, 300), 32);
	CU_ASSERT_EQUAL(same(0, 200, 169, 300), 0);
	CU_ASSERT_EQUAL(same(0, 200, 200, 300), 0);
	CU_ASSERT_EQUAL(same(0, 20, 0, 300), 0);
}

static void the_later_one_may_reach_back_further(void)
{
	CU_ASSERT_EQUAL(same(100, 200, 50, 300), 150);
	CU_ASSERT_EQUAL(same(100, 200, 100, 300), 100);
	CU_ASSERT_EQUAL(same(100, 200, 100, 200), 100);
}

/* As its description says, byte by byte. */
static size_t slow_overlap(const uint8_t *before, size_t before_n, const uint8_t *now, size_t now_n)
{
	size_t n = before_n < now_n ? before_n : now_n;

	for (size_t end = now_n; before_n <= now_n && end >= before_n; end--)
		if (!memcmp(now + end - before_n, before, before_n))
			return end;
	while (n && memcmp(before + before_n - n, now, n) != 0)
		n--;
	return n < CSG_SAMPLE_OVERLAP_MIN ? 0 : n;
}

/* Bytes of a period, some of which are others. */
static void bytes_that_repeat_are_compared_as_well(void)
{
	uint8_t bytes[N];
	uint32_t scratch[N];
	size_t pad;

	for (size_t i = 0; i < 3000; i++) {
		const size_t a = i % 11, b = i % 13, period = 1 + i % 7;
		const size_t a_n = 40 + i % 53, b_n = 40 + i % 59;

		for (size_t at = 0; at < N; at++)
			bytes[at] = (uint8_t)(1 + at % period);
		bytes[i % 97] = bytes[i % 31 + i % 37] = 9;
		CU_ASSERT_EQUAL(
			csg_sample_overlap(bytes + a, a_n, bytes + b, b_n, 0, scratch, &pad),
			slow_overlap(bytes + a, a_n, bytes + b, b_n));
	}
}

static void zeros_at_the_end_may_be_padding(void)
{
	uint8_t padded[104] = {0};
	uint32_t scratch[N];
	size_t pad = 99;

	memcpy(padded, buffer(), 100);
	CU_ASSERT_EQUAL(csg_sample_overlap(padded, 104, buffer() + 50, 200, 7, scratch, &pad), 50);
	CU_ASSERT_EQUAL(pad, 4);
	CU_ASSERT_EQUAL(csg_sample_overlap(padded, 104, buffer() + 50, 200, 3, scratch, &pad), 0);
	CU_ASSERT_EQUAL(pad, 0);
	padded[100] = 5;
	CU_ASSERT_EQUAL(csg_sample_overlap(padded, 101, buffer() + 50, 200, 7, scratch, &pad), 0);
}

static void the_last_a_sync_is_found_in_bytes(void)
{
	uint8_t bytes[64];

	memset(bytes, 1, sizeof(bytes));
	CU_ASSERT_EQUAL(csg_sample_last_async(bytes, 64, true), SIZE_MAX);
	memset(bytes + 5, 0, 11);
	bytes[16] = 0x80;
	memset(bytes + 30, 0, 13); /* two zeros end the packet before */
	bytes[43] = 0x80;
	CU_ASSERT_EQUAL(csg_sample_last_async(bytes, 64, true), 32);
	CU_ASSERT_EQUAL(csg_sample_last_async(bytes, 43, true), 5);
	CU_ASSERT_EQUAL(csg_sample_last_async(bytes, 16, true), SIZE_MAX);
}

/* An ID stands among the zeros, and the last byte of a frame is no data. */
static void the_last_a_sync_is_found_in_frames(void)
{
	uint8_t frames[48];

	memset(frames, 2, sizeof(frames));
	memset(frames + 22, 0, 9);
	frames[24] = 0x21;
	frames[31] = 0x55;
	memset(frames + 32, 0, 3);
	frames[35] = 0x80;
	CU_ASSERT_EQUAL(csg_sample_last_async(frames, 48, false), 16);
	CU_ASSERT_EQUAL(csg_sample_last_async(frames, 32, false), SIZE_MAX);
	frames[24] = 2;
	CU_ASSERT_EQUAL(csg_sample_last_async(frames, 48, false), SIZE_MAX);
}

CSG_SUITE(recording_perf, sample_overlap, CSG_TEST(bytes_in_common_end_the_one_and_begin_the_other),
	  CSG_TEST(the_later_one_may_reach_back_further),
	  CSG_TEST(bytes_that_repeat_are_compared_as_well),
	  CSG_TEST(zeros_at_the_end_may_be_padding), CSG_TEST(the_last_a_sync_is_found_in_bytes),
	  CSG_TEST(the_last_a_sync_is_found_in_frames));
