/* SPDX-License-Identifier: BSD-3-Clause */
#include "shard/texts.h"

#include <stdlib.h>
#include <string.h>

#include "util/pack.h"

#define LEAST_BITS 10

void csg_texts_fini(struct csg_texts *t)
{
	free(t->slots);
	csg_arena_fini(&t->memory);
	*t = (struct csg_texts){0};
}

/* Where the text is, or belongs. */
static const char **find(const struct csg_texts *t, const char *text)
{
	const size_t mask = ((size_t)1 << t->bits) - 1;
	size_t i = csg_checksum(text, strlen(text)) & mask;

	while (t->slots[i] && strcmp(t->slots[i], text) != 0)
		i = (i + 1) & mask;
	return &t->slots[i];
}

static bool grow(struct csg_texts *t)
{
	struct csg_texts larger = *t;

	larger.bits = t->bits ? t->bits + 1 : LEAST_BITS;
	larger.slots = calloc((size_t)1 << larger.bits, sizeof(*larger.slots));
	if (!larger.slots)
		return false;
	for (size_t i = 0; t->slots && i < (size_t)1 << t->bits; i++)
		if (t->slots[i])
			*find(&larger, t->slots[i]) = t->slots[i];
	free(t->slots);
	*t = larger;
	return true;
}

const char *csg_texts_keep(struct csg_texts *t, const char *text)
{
	const char **slot;

	if ((!t->slots || t->count >= (size_t)1 << (t->bits - 1)) && !grow(t))
		return NULL;
	slot = find(t, text);
	if (*slot)
		return *slot;
	*slot = csg_arena_string(&t->memory, text);
	t->count += *slot != NULL;
	return *slot;
}
