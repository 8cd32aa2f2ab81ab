/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/strings.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"

#define HEAD sizeof(uint32_t) /* each string has its length before it */

struct bytes {
	const void *at;
	size_t len;
};

void csg_strings_fini(struct csg_strings *strings)
{
	csg_arena_fini(&strings->memory);
	free(strings->kept);
	csg_hash_fini(&strings->numbers);
	memset(strings, 0, sizeof(*strings));
}

static bool equal(const void *owner, uint32_t number, const void *key)
{
	const struct csg_strings *strings = owner;
	const struct bytes *bytes = key;
	uint32_t len;

	memcpy(&len, strings->kept[number] - HEAD, HEAD);
	return len == bytes->len && !memcmp(strings->kept[number], bytes->at, len);
}

static const char *find(const struct csg_strings *strings, uint32_t hash, struct bytes bytes)
{
	const int64_t number = csg_hash_find(&strings->numbers, hash, equal, strings, &bytes);

	return number < 0 ? NULL : strings->kept[number];
}

static uint32_t hash_of(struct bytes bytes)
{
	return csg_hash_of(csg_hash_bytes(0, bytes.at, bytes.len));
}

const char *csg_strings_find(const struct csg_strings *strings, const void *text, size_t len)
{
	const struct bytes bytes = {text, len};

	return find(strings, hash_of(bytes), bytes);
}

const char *csg_strings_intern(struct csg_strings *strings, const void *text, size_t len)
{
	const struct bytes bytes = {text, len};
	const uint32_t hash = hash_of(bytes), len32 = (uint32_t)len;
	const char *kept = find(strings, hash, bytes);
	char *copy;

	if (kept || len >= UINT32_MAX ||
	    csg_array_grow((void **)&strings->kept, strings->count, &strings->capacity,
			   sizeof(*strings->kept)))
		return kept;
	copy = csg_arena_alloc(&strings->memory, HEAD + len + 1);
	if (!copy || csg_hash_add(&strings->numbers, hash, (uint32_t)strings->count))
		return NULL;
	memcpy(copy, &len32, HEAD);
	memcpy(copy + HEAD, text, len);
	strings->kept[strings->count++] = copy + HEAD;
	return copy + HEAD;
}

const char *csg_strings_keep(struct csg_strings *strings, const char *text)
{
	return csg_strings_intern(strings, text, strlen(text));
}

const char *csg_strings_intern_text(struct csg_strings *strings, const void *text, size_t max)
{
	return csg_strings_intern(strings, text, strnlen(text, max));
}
