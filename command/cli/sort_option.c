/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/sort_option.h"

#include <stdio.h>
#include <string.h>

#include "cli/options.h"
#include "text/nearest.h"

/* "; there are a, b, c" */
static const char *list_keys(char *buf, size_t size)
{
	size_t at = (size_t)snprintf(buf, size, "; there are ");

	for (const char *const *word = csg_report_key_words(); *word && at < size; word++)
		at += (size_t)snprintf(buf + at, size - at, "%s%s", *word, word[1] ? ", " : "");
	return buf;
}

int csg_sort_option_parse(const char *command, const char *option, struct csg_report_sort *sort,
			  const char *text)
{
	const char *bad, *nearest;
	char hint[64], list[300];
	int length;

	if (!csg_report_sort_parse(sort, text, &bad))
		return 0;
	length = (int)strcspn(bad, ",");
	nearest = csg_nearest(bad, (size_t)length, csg_report_key_words());
	if (nearest && strlen(nearest) == (size_t)length && !strncmp(nearest, bad, (size_t)length))
		return csg_usage_error(command, "%s: '%s' comes twice", option, nearest);
	csg_did_you_mean(hint, sizeof(hint), "", nearest);
	return csg_usage_error(command, "%s: no key '%.*s'%s", option, length, bad,
			       nearest ? hint : list_keys(list, sizeof(list)));
}
