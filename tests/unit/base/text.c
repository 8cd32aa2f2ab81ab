/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/text.h"

#include <stddef.h>
#include <stdlib.h>
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
	CU_ASSERT_EQUAL(hex("0123456789aBcDeF T", &value), 16);
	CU_ASSERT_EQUAL(value, 0x0123456789abcdefu);
}

/* Each byte at each of sixteen places is the digit that strtoul() takes it for, or none. */
static void sixteen_digits_are_read_at_once_or_one_by_one(void)
{
	for (int place = 0; place < 16; place++)
		for (int byte = 1; byte < 256; byte++) {
			char text[] = "fedcba9876543210 T", digit[] = {(char)byte, 0};
			uint64_t value, wanted = 0xfedcba9876543210u;
			const int shift = 4 * (15 - place);

			text[place] = (char)byte;
			if (place == 1 && (byte == 'x' || byte == 'X'))
				continue;
			if (!strchr("0123456789abcdefABCDEF", byte)) {
				CU_ASSERT_EQUAL(hex(text, &value), place ? place : -1);
				continue;
			}
			wanted &= ~(UINT64_C(15) << shift);
			wanted |= (uint64_t)strtoul(digit, NULL, 16) << shift;
			CU_ASSERT_EQUAL(hex(text, &value), 16);
			CU_ASSERT_EQUAL(value, wanted);
		}
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
	  CSG_TEST(sixteen_digits_are_read_at_once_or_one_by_one),
	  CSG_TEST(decimal_numbers_do_not_overflow));
