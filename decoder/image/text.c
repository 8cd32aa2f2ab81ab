/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/text.h"

#include <stddef.h>

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 16;
}

static const char *number(const char *text, const char *end, int base, uint64_t *value)
{
	const char *at = text;

	for (*value = 0; at < end && digit(*at) < base; at++)
		if (__builtin_mul_overflow(*value, (uint64_t)base, value) ||
		    __builtin_add_overflow(*value, (uint64_t)digit(*at), value))
			return NULL;
	return at == text ? NULL : at;
}

const char *csg_text_hex(const char *text, const char *end, uint64_t *value)
{
	if (end - text > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		text += 2;
	return number(text, end, 16, value);
}

const char *csg_text_decimal(const char *text, const char *end, uint64_t *value)
{
	return number(text, end, 10, value);
}
