/* SPDX-License-Identifier: BSD-3-Clause */
#include "text/number_set.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "csguest/error.h"

bool csg_number_read(const char **at, int64_t *number)
{
	char *end;

	if (!isdigit((unsigned char)**at))
		return false;
	errno = 0;
	*number = strtoll(*at, &end, 10);
	*at = end;
	return !errno;
}

static size_t pieces(const char *text)
{
	size_t n = 1;

	for (; *text; text++)
		n += *text == ',';
	return n;
}

int csg_number_set_parse(struct csg_number_set *set, const char *text)
{
	csg_number_set_fini(set);
	set->ranges = calloc(pieces(text), sizeof(*set->ranges));
	if (!set->ranges)
		return -CSG_E_NO_MEMORY;
	for (;; text++) {
		struct csg_number_range *range = &set->ranges[set->n];

		if (!csg_number_read(&text, &range->first))
			return -CSG_E_USAGE;
		range->last = range->first;
		if (*text == '-') {
			text++;
			if (!csg_number_read(&text, &range->last) || range->last < range->first)
				return -CSG_E_USAGE;
		}
		set->n++;
		if (!*text)
			return 0;
		if (*text != ',')
			return -CSG_E_USAGE;
	}
}

void csg_number_set_fini(struct csg_number_set *set)
{
	free(set->ranges);
	*set = (struct csg_number_set){0};
}

bool csg_number_set_has(const struct csg_number_set *set, int64_t number)
{
	for (size_t i = 0; i < set->n; i++)
		if (number >= set->ranges[i].first && number <= set->ranges[i].last)
			return true;
	return !set->n;
}
