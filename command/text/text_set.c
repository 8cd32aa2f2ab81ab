/* SPDX-License-Identifier: BSD-3-Clause */
#include "text/text_set.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "util/array.h"

/* Texts of one hash are distinguished by trial. */
struct hash {
	uint64_t value, trial;
};

void csg_text_set_init(struct csg_text_set *set)
{
	*set = (struct csg_text_set){0};
	csg_keyset_init(&set->hashes, sizeof(struct hash));
}

void csg_text_set_fini(struct csg_text_set *set)
{
	csg_keyset_fini(&set->hashes);
	free(set->texts);
	*set = (struct csg_text_set){0};
}

/* FNV-1a. */
static uint64_t hash_of(const char *text)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (; *text; text++)
		h = (h ^ (uint8_t)*text) * 0x100000001b3u;
	return h;
}

static int64_t look_up(struct csg_text_set *set, const char *text)
{
	struct hash hash = {.value = hash_of(text)};

	for (;; hash.trial++) {
		const int64_t i = csg_keyset_add(&set->hashes, &hash);

		if (i < 0 || csg_array_reach((void **)&set->texts, &set->capacity, (size_t)i,
					     sizeof(*set->texts)))
			return -CSG_E_NO_MEMORY;
		if (!set->texts[i])
			set->texts[i] = text;
		if (!strcmp(set->texts[i], text))
			return i + 1;
	}
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
