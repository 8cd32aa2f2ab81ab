/* SPDX-License-Identifier: BSD-3-Clause */
#include "inject/perf_encode.h"

#include <string.h>

#include "suite.h"

static struct csg_perf_encode record; /* too large for a stack */

static void a_record_is_padded_and_knows_its_size(void)
{
	static const uint8_t expected[] = {72, 0, 0, 0, 5, 0, 24, 0, 1, 0, 0, 0,
					   2,  0, 0, 0, 0, 0, 0,  0, 9, 0, 0, 0};

	csg_perf_encode_begin(&record, 72, 5);
	csg_perf_encode_u32(&record, 1);
	csg_perf_encode_u64(&record, 2);
	csg_perf_encode_bytes(&record, "\x09", 1);
	CU_ASSERT(csg_perf_encode_end(&record));
	CU_ASSERT_EQUAL_FATAL(record.len, sizeof(expected));
	CU_ASSERT_EQUAL(memcmp(record.bytes, expected, sizeof(expected)), 0);
}

static void texts_are_filled_up(void)
{
	csg_perf_encode_begin(&record, 1, 0);
	csg_perf_encode_text(&record, "12345678");
	CU_ASSERT_EQUAL(record.len, 24);
	csg_perf_encode_field(&record, "much too long", 8);
	CU_ASSERT_EQUAL(record.len, 32);
	CU_ASSERT_STRING_EQUAL((char *)record.bytes + 24, "much to");
}

static void what_does_not_fit_is_reported(void)
{
	static const uint8_t bytes[CSG_PERF_ENCODE_MAX - 8];

	csg_perf_encode_begin(&record, 1, 0);
	csg_perf_encode_bytes(&record, bytes, sizeof(bytes));
	CU_ASSERT(csg_perf_encode_end(&record));
	csg_perf_encode_begin(&record, 1, 0);
	csg_perf_encode_bytes(&record, bytes, sizeof(bytes));
	csg_perf_encode_u32(&record, 1);
	CU_ASSERT(!csg_perf_encode_end(&record));
}

CSG_SUITE(inject, perf_encode, CSG_TEST(a_record_is_padded_and_knows_its_size),
	  CSG_TEST(texts_are_filled_up), CSG_TEST(what_does_not_fit_is_reported));
