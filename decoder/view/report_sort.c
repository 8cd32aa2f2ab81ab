/* SPDX-License-Identifier: BSD-3-Clause */
/* The keys of --sort: their names and how a list of them is read. */
#include <string.h>

#include "csguest/error.h"
#include "view/report.h"

static const char *const names[] = {
#define CSG_REPORT_KEY_NAME(name, id, title, text) id,
	CSG_REPORT_KEYS(CSG_REPORT_KEY_NAME)
#undef CSG_REPORT_KEY_NAME
};

static const char *const titles[] = {
#define CSG_REPORT_KEY_TITLE(name, id, title, text) title,
	CSG_REPORT_KEYS(CSG_REPORT_KEY_TITLE)
#undef CSG_REPORT_KEY_TITLE
};

const char *csg_report_key_name(enum csg_report_key key)
{
	return names[key];
}

const char *csg_report_key_title(enum csg_report_key key)
{
	return titles[key];
}

static int find(const char *name, size_t len)
{
	for (int key = 0; key < CSG_REPORT_KEY_COUNT; key++)
		if (strlen(names[key]) == len && !memcmp(names[key], name, len))
			return key;
	return -1;
}

int csg_report_sort_parse(struct csg_report_sort *sort, const char *text, const char **bad)
{
	memset(sort, 0, sizeof(*sort));
	for (;;) {
		size_t len = strcspn(text, ",");
		int key = find(text, len);

		*bad = text;
		if (key < 0 || sort->set & 1u << key)
			return -CSG_E_USAGE;
		sort->set |= 1u << key;
		sort->keys[sort->n++] = (uint8_t)key;
		if (!text[len])
			return 0;
		text += len + 1;
	}
}
