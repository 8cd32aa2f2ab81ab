/* SPDX-License-Identifier: BSD-3-Clause */
#include "text/nested_text.h"

#include <inttypes.h>
#include <stdio.h>

const char *csg_nested_text(uint8_t level, int32_t nested, char *buf, size_t size)
{
	buf[0] = '\0';
	if (level != CSG_LEVEL_NESTED)
		return buf;
	if (nested > 0)
		snprintf(buf, size, " L2 VM %" PRId32, nested);
	else
		snprintf(buf, size, " L2");
	return buf;
}
