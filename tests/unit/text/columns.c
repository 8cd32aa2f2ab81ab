/* SPDX-License-Identifier: BSD-3-Clause */
#include "text/columns.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "suite.h"

static const int64_t numbers[] = {0,  1,   9,	      10,	 99,	     100,	 12345,
				  -1, -10, INT64_MAX, INT64_MIN, 1000000000, 0xffff0000, -99999};

static void numbers_look_like_those_of_printf(void)
{
	static struct csg_out out;
	char want[4096];
	int at = 0;

	csg_out_init(&out, -1);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		int64_t n = numbers[i];
		uint64_t u = (uint64_t)n;

		at += snprintf(want + at, sizeof(want) - (size_t)at,
			       "%7" PRId64 "|%-7" PRId64 "|%10" PRIu64 "|%06" PRIu64 "|%16" PRIx64
			       "|",
			       n, n, u, u, u);
		csg_column_i64(&out, n, 7);
		csg_out_char(&out, '|');
		csg_column_i64_left(&out, n, 7);
		csg_out_char(&out, '|');
		csg_column_u64(&out, u, 10);
		csg_out_char(&out, '|');
		csg_column_zeros(&out, u, 6);
		csg_out_char(&out, '|');
		csg_column_hex(&out, u, 16);
		csg_out_char(&out, '|');
	}
	CU_ASSERT_EQUAL(out.used, (size_t)at);
	CU_ASSERT_EQUAL(memcmp(out.buf, want, (size_t)at), 0);
}

static void a_mark_stands_right_before_its_number(void)
{
	static struct csg_out out;
	char marked[32], want[1024];
	int at = 0;

	csg_out_init(&out, -1);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		snprintf(marked, sizeof(marked), ":%" PRId64, numbers[i]);
		at += snprintf(want + at, sizeof(want) - (size_t)at, "%16s|", marked);
		csg_column_marked(&out, ':', numbers[i], 16);
		csg_out_char(&out, '|');
	}
	CU_ASSERT_EQUAL(out.used, (size_t)at);
	CU_ASSERT_EQUAL(memcmp(out.buf, want, (size_t)at), 0);
}

static void strings_are_padded_but_never_cut(void)
{
	static struct csg_out out;

	csg_out_init(&out, -1);
	csg_column_right(&out, "ab", 5);
	csg_column_left(&out, "cd", 4);
	csg_column_right(&out, "longer", 3);
	csg_column_left(&out, "", 40);
	CU_ASSERT_EQUAL(out.used, 5 + 4 + 6 + 40);
	CU_ASSERT_EQUAL(memcmp(out.buf, "   abcd  longer    ", 19), 0);
}

CSG_SUITE(text, columns, CSG_TEST(numbers_look_like_those_of_printf),
	  CSG_TEST(a_mark_stands_right_before_its_number),
	  CSG_TEST(strings_are_padded_but_never_cut));
