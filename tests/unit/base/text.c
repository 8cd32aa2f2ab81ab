/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/text.h"

#include <stddef.h>
#include <string.h>

#include "suite.h"

static int hex(const char *text, uint64_t *value)
{
	const char *end = csg_text_hex(text, text + strlen(text), value);

	return end ? (int)(end - text) : -1;
}

static void hexadecimal_numbers_end_where_they_end(void)
{
	uint64_t value;

	CU_ASSERT_EQUAL(hex("ffff800008000000 T", &value), 16);
	CU_ASSERT_EQUAL(value, 0xffff800008000000u);
	CU_ASSERT_EQUAL(hex("0x1F", &value), 4);
	CU_ASSERT_EQUAL(value, 0x1f);
	CU_ASSERT_EQUAL(hex("", &value), -1);
	CU_ASSERT_EQUAL(hex("xyz", &value), -1);
	CU_ASSERT_EQUAL(hex("10000000000000000", &value), -1);
	CU_ASSERT_EQUAL(hex("fedcba9876543210", &value), 16);
	CU_ASSERT_EQUAL(value, 0xfedcba9876543210u);
	CU_ASSERT_EQUAL(hex("fedcba98765432g0 T", &value), 14);
	CU_ASSERT_EQUAL(value, 0xfedcba98765432u);
	CU_ASSERT_EQUAL(hex("00000000000000001 T", &value), 17);
	CU_ASSERT_EQUAL(value, 1);
}

static void decimal_numbers_do_not_overflow(void)
{
	const char *max = "18446744073709551615", *more = "18446744073709551616";
	uint64_t value;

	CU_ASSERT_PTR_EQUAL(csg_text_decimal(max, max + 20, &value), max + 20);
	CU_ASSERT_EQUAL(value, UINT64_MAX);
	CU_ASSERT_PTR_NULL(csg_text_decimal(more, more + 20, &value));
	CU_ASSERT_PTR_EQUAL(csg_text_decimal(more, more + 3, &value), more + 3);
	CU_ASSERT_EQUAL(value, 184);
}

CSG_SUITE(base, text, CSG_TEST(hexadecimal_numbers_end_where_they_end),
	  CSG_TEST(decimal_numbers_do_not_overflow));
