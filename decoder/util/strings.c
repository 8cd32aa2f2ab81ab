/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/strings.h"

#include <stdlib.h>
#include <string.h>

#define HEAD sizeof(uint32_t) /* each string has its length before it */

void csg_strings_fini(struct csg_strings *strings)
{
	csg_arena_fini(&strings->memory);
	free(strings->slots);
	memset(strings, 0, sizeof(*strings));
}

static uint32_t length_of(const uint8_t *string)
{
	uint32_t len;

	memcpy(&len, string - HEAD, HEAD);
	return len;
}

static uint64_t hash_of(const uint8_t *bytes, size_t len)
{
	uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ bytes[i]) * 0x100000001b3u;
	return hash ^ hash >> 29;
}

static const uint8_t **slot_of(const uint8_t **slots, size_t n_slots, const uint8_t *bytes,
			       size_t len)
{
	size_t i = hash_of(bytes, len) & (n_slots - 1);

	while (slots[i] && (length_of(slots[i]) != len || memcmp(slots[i], bytes, len)))
		i = (i + 1) & (n_slots - 1);
	return &slots[i];
}

static int grow(struct csg_strings *strings)
{
	size_t n = strings->n_slots ? strings->n_slots * 2 : 256;
	const uint8_t **slots = calloc(n, sizeof(*slots));

	if (!slots)
		return -1;
	for (size_t i = 0; i < strings->n_slots; i++) {
		const uint8_t *old = strings->slots[i];

		if (old)
			*slot_of(slots, n, old, length_of(old)) = old;
	}
	free(strings->slots);
	strings->slots = slots;
	strings->n_slots = n;
	return 0;
}

const char *csg_strings_find(const struct csg_strings *strings, const void *text, size_t len)
{
	if (!strings->n_slots)
		return NULL;
	return (const char *)*slot_of(strings->slots, strings->n_slots, text, len);
}

const char *csg_strings_intern(struct csg_strings *strings, const void *text, size_t len)
{
	const uint8_t **slot;
	uint32_t len32 = (uint32_t)len;
	uint8_t *copy;

	if (len >= UINT32_MAX)
		return NULL;
	if (strings->n_used * 2 >= strings->n_slots && grow(strings))
		return NULL;
	slot = slot_of(strings->slots, strings->n_slots, text, len);
	if (*slot)
		return (const char *)*slot;
	copy = csg_arena_alloc(&strings->memory, HEAD + len + 1);
	if (!copy)
		return NULL;
	memcpy(copy, &len32, HEAD);
	copy += HEAD;
	memcpy(copy, text, len);
	*slot = copy;
	strings->n_used++;
	return (const char *)copy;
}

const char *csg_strings_keep(struct csg_strings *strings, const char *text)
{
	return csg_strings_intern(strings, text, strlen(text));
}

const char *csg_strings_intern_text(struct csg_strings *strings, const void *text, size_t max)
{
	return csg_strings_intern(strings, text, strnlen(text, max));
}
