/* SPDX-License-Identifier: BSD-3-Clause */
#include "score/words.h"

#include <string.h>

bool csg_take_u64(char **s, int base, uint64_t *n)
{
	uint64_t value = 0;
	const char *from = *s;

	for (;; (*s)++) {
		unsigned digit = **s >= '0' && **s <= '9' ? (unsigned)(**s - '0')
				 : base == 16 && **s >= 'a' && **s <= 'f'
					 ? (unsigned)(**s - 'a' + 10)
					 : 99;

		if (digit == 99)
			break;
		if (value > (UINT64_MAX - digit) / (unsigned)base)
			return false;
		value = value * (unsigned)base + digit;
	}
	if (*s == from || (**s && **s != ' '))
		return false;
	if (**s)
		(*s)++;
	*n = value;
	return true;
}

bool csg_take_i32(char **s, int32_t *n)
{
	const bool negative = **s == '-';
	uint64_t value;

	*s += negative;
	if (!csg_take_u64(s, 10, &value) || value > INT32_MAX)
		return false;
	*n = negative ? -(int32_t)value : (int32_t)value;
	return true;
}

char *csg_take_word(char **s)
{
	char *word = *s;

	*s += strcspn(*s, " ");
	if (**s)
		*(*s)++ = 0;
	return word;
}

bool csg_is_line(const char *line, const char *kind, char **rest)
{
	const size_t n = strlen(kind);

	if (strncmp(line, kind, n))
		return false;
	*rest = (char *)line + n;
	return true;
}

bool csg_set_world(struct csg_owner *o, const char *name)
{
	for (unsigned i = 0; i < CSG_WORLD_COUNT; i++) {
		if (!strcmp(name, csg_world_name(i))) {
			o->world = (uint8_t)i;
			return i != CSG_WORLD_UNKNOWN;
		}
	}
	return false;
}
