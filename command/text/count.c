/* SPDX-License-Identifier: BSD-3-Clause */
#include "text/count.h"

#include <inttypes.h>
#include <stdio.h>

const char *csg_count_text(char buf[CSG_COUNT_MAX], uint64_t n)
{
	char text[CSG_COUNT_MAX], *to = buf;
	int length = snprintf(text, sizeof(text), "%" PRIu64, n);

	for (int i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			*to++ = ',';
		*to++ = text[i];
	}
	*to = 0;
	return buf;
}

const char *csg_share_text(char buf[CSG_COUNT_MAX], double percent)
{
	snprintf(buf, CSG_COUNT_MAX, percent < 0.1 ? "less than 0.1%%" : "%.1f%%", percent);
	return buf;
}
