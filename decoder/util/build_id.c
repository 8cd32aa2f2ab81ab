/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/build_id.h"

#include <stdio.h>
#include <string.h>

struct csg_build_id csg_build_id_make(const uint8_t *bytes, size_t size)
{
	struct csg_build_id id = {.size = size < CSG_BUILD_ID_MAX ? size : CSG_BUILD_ID_MAX};
	bool any = false;

	for (size_t i = 0; i < id.size; i++) {
		id.bytes[i] = bytes[i];
		any |= bytes[i] != 0;
	}
	if (!any)
		id.size = 0;
	return id;
}

bool csg_build_id_equal(const struct csg_build_id *a, const struct csg_build_id *b)
{
	/* Bytes after size are zero: see csg_build_id_make(). */
	return a->size && b->size && !memcmp(a->bytes, b->bytes, CSG_BUILD_ID_MAX);
}

char *csg_build_id_text(const struct csg_build_id *id, char text[CSG_BUILD_ID_TEXT])
{
	text[0] = 0;
	for (size_t i = 0; i < id->size; i++)
		sprintf(text + 2 * i, "%02x", id->bytes[i]);
	return text;
}
