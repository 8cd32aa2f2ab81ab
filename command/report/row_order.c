/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/row_order.h"

#include <stdlib.h>
#include <string.h>

static int compare_text(const char *a, const char *b)
{
	if (!a || !b)
		return (a != NULL) - (b != NULL);
	return strcmp(a, b);
}

static int compare_names(const struct csg_report_row *a, const struct csg_report_row *b)
{
	int c = memcmp(&a->label, &b->label, sizeof(a->label));

	if (!c)
		c = compare_text(a->dso, b->dso);
	if (!c)
		c = compare_text(a->symbol, b->symbol);
	if (!c)
		c = compare_text(a->srcline, b->srcline);
	return c ? c : a->no_path - b->no_path;
}

static int descending(uint64_t a, uint64_t b)
{
	return (a < b) - (a > b);
}

static int by_instructions(const void *pa, const void *pb)
{
	const struct csg_report_row *a = pa, *b = pb;
	int c = descending(a->instructions, b->instructions);

	if (!c)
		c = descending(a->branches, b->branches);
	return c ? c : compare_names(a, b);
}

static int by_branches(const void *pa, const void *pb)
{
	const struct csg_report_row *a = pa, *b = pb;
	int c = descending(a->branches, b->branches);

	return c ? c : by_instructions(pa, pb);
}

void csg_row_order(struct csg_report_row *rows, size_t n, bool branches)
{
	if (n)
		qsort(rows, n, sizeof(*rows), branches ? by_branches : by_instructions);
}
