/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/text.h"

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* One more than its value; 0: no digit. */
static const uint8_t digits[256] = {
	['0'] = 1,  ['1'] = 2,	['2'] = 3,  ['3'] = 4,	['4'] = 5,  ['5'] = 6,
	['6'] = 7,  ['7'] = 8,	['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12,
	['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16, ['A'] = 11, ['B'] = 12,
	['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

/* 16 or more: none. */
static inline unsigned int digit(char c)
{
	return digits[(unsigned char)c] - 1u;
}

#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

/* The value of eight digits, each in a byte of one word; false: not all are digits. */
static inline bool eight_digits(const char *text, uint64_t *value)
{
	uint64_t letters, low, x;

	memcpy(&x, text, sizeof(x));
	x = be64toh(x);
	letters = x >> 6 & EACH(1);
	x |= letters << 5; /* small ones */
	low = (x & EACH(15)) + 9 * letters;
	*value = low;
	*value = (*value | *value >> 4) & UINT64_C(0x00ff00ff00ff00ff);
	*value = (*value | *value >> 8) & UINT64_C(0x0000ffff0000ffff);
	*value = (*value | *value >> 16) & UINT64_C(0xffffffff);
	/* '0' is 0x30 and 'a' 0x61; letters are worth ten or more, digits less. */
	return !((x & EACH(0xf0)) ^ (EACH(0x30) + 0x30 * letters)) && !(low & EACH(16)) &&
	       !(((low + EACH(6)) >> 4 & EACH(1)) ^ letters);
}

/* As many digits as there mostly are, without asking for the end after each. */
static const char *sixteen_digits(const char *text, const char *end, uint64_t *value)
{
	uint64_t high, low;

	if (end - text <= 16 || digit(text[16]) < 16 || !eight_digits(text, &high) ||
	    !eight_digits(text + 8, &low))
		return NULL;
	*value = high << 32 | low;
	return text + 16;
}

const char *csg_text_hex(const char *text, const char *end, uint64_t *value)
{
	uint64_t sum = 0;
	const char *at = sixteen_digits(text, end, value);
	unsigned int d;

	if (at)
		return at;
	if (end - text > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		text += 2;
	for (at = text; at < end && (d = digit(*at)) < 16; at++) {
		if (sum >> 60)
			return NULL;
		sum = sum << 4 | d;
	}
	*value = sum;
	return at == text ? NULL : at;
}

const char *csg_text_decimal(const char *text, const char *end, uint64_t *value)
{
	const char *at;

	*value = 0;
	for (at = text; at < end && digit(*at) < 10; at++)
		if (__builtin_mul_overflow(*value, 10u, value) ||
		    __builtin_add_overflow(*value, (uint64_t)digit(*at), value))
			return NULL;
	return at == text ? NULL : at;
}
