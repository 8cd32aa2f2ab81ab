/* SPDX-License-Identifier: BSD-3-Clause */
#include "text/text_set.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "util/array.h"

void csg_text_set_fini(struct csg_text_set *set)
{
	csg_hash_fini(&set->numbers);
	free(set->texts);
	*set = (struct csg_text_set){0};
}

static bool equal(const void *set, uint32_t i, const void *text)
{
	return !strcmp(((const struct csg_text_set *)set)->texts[i], text);
}

static int64_t look_up(struct csg_text_set *set, const char *text)
{
	const uint32_t hash = csg_hash_of(csg_hash_bytes(0, text, strlen(text)));
	const int64_t i = csg_hash_find(&set->numbers, hash, equal, set, text);

	if (i >= 0)
		return i + 1;
	if (csg_array_grow((void **)&set->texts, set->count, &set->capacity, sizeof(*set->texts)) ||
	    csg_hash_add(&set->numbers, hash, (uint32_t)set->count))
		return -CSG_E_NO_MEMORY;
	set->texts[set->count++] = text;
	return (int64_t)set->count;
}

int64_t csg_text_set_add(struct csg_text_set *set, const char *text)
{
	struct csg_text_at *at;

	if (!text)
		return 0;
	at = &set->cache[((uintptr_t)text * UINT64_C(0x9e3779b97f4a7c15) >> 32) %
			 CSG_TEXT_SET_CACHE];
	if (at->text != text)
		*at = (struct csg_text_at){text, look_up(set, text)};
	if (at->number < 0)
		at->text = NULL;
	return at->number;
}
