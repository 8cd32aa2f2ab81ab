/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/text.h"

#include <stddef.h>

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

/* As many digits as there mostly are, without asking for the end after each. */
static const char *sixteen_digits(const char *text, const char *end, uint64_t *value)
{
	unsigned int none = 0;
	uint64_t sum = 0;

	if (end - text <= 16 || digit(text[16]) < 16)
		return NULL;
	for (int i = 0; i < 16; i++) {
		unsigned int d = digit(text[i]);

		none |= d;
		sum = sum << 4 | (d & 15);
	}
	*value = sum;
	return none < 16 ? text + 16 : NULL;
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
