/* SPDX-License-Identifier: BSD-3-Clause */
#include "text/nearest.h"

#include <stdio.h>
#include <string.h>

#define LENGTH_MAX 32 /* of words that are compared */

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Optimal string alignment: letters that are missing, too many, wrong, or two that changed
 * places. */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
	size_t rows[3][LENGTH_MAX + 1];
	size_t *before = rows[0], *last = rows[1], *row = rows[2], *next;

	for (size_t k = 0; k <= b_length; k++)
		last[k] = k;
	for (size_t i = 1; i <= a_length; i++) {
		row[0] = i;
		for (size_t k = 1; k <= b_length; k++) {
			row[k] = least(last[k - 1] + (a[i - 1] != b[k - 1]),
				       least(last[k], row[k - 1]) + 1);
			if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
				row[k] = least(row[k], before[k - 2] + 1);
		}
		next = before;
		before = last;
		last = row;
		row = next;
	}
	return last[b_length];
}

static const char *shortest_that_begins(const char *word, size_t length, const char *const *names)
{
	const char *best = NULL;

	for (; length && *names; names++)
		if (!strncmp(*names, word, length) && (!best || strlen(*names) < strlen(best)))
			best = *names;
	return best;
}

const char *csg_nearest(const char *word, size_t length, const char *const *names)
{
	const char *best = shortest_that_begins(word, length, names);
	size_t fewest = (length + 2) / 3 + 1;

	if (best || length > LENGTH_MAX)
		return best;
	for (; *names; names++) {
		size_t n = strlen(*names);
		size_t changes = n <= LENGTH_MAX ? distance(word, length, *names, n) : fewest;

		/* A word of which nothing is left is not alike. */
		if (changes < fewest && changes < length) {
			fewest = changes;
			best = *names;
		}
	}
	return best;
}

const char *csg_did_you_mean(char *buf, size_t size, const char *prefix, const char *name)
{
	buf[0] = 0;
	if (name)
		snprintf(buf, size, "; did you mean '%s%s'?", prefix, name);
	return buf;
}
