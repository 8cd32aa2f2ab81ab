/* SPDX-License-Identifier: BSD-3-Clause */
#include "shard/profile_pack.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"

#define COUNT_BYTES (5 * sizeof(uint64_t))

void csg_profile_pack(struct csg_pack *p, const struct csg_branch_profile *profile)
{
	csg_pack_number(p, profile->objects.count);
	for (size_t i = 0; i < profile->objects.count; i++)
		csg_pack_text(p, csg_keyset_get(&profile->objects, i));
	csg_pack_number(p, profile->keys.count);
	for (size_t i = 0; i < profile->keys.count; i++) {
		const struct csg_profile_key *key = csg_keyset_get(&profile->keys, i);
		const struct csg_profile_count *count = &profile->counts[i];

		csg_pack_number(p, count->object);
		csg_pack_number(p, key->is_branch != 0);
		csg_pack_number(p, count->from);
		csg_pack_number(p, count->to);
		csg_pack_number(p, count->count);
	}
}

/* A name that is no path. */
static bool is_file_name(const char *name)
{
	return *name && *name != '.' && !strchr(name, '/') && strlen(name) < CSG_PROFILE_NAME;
}

/* The numbers that the profile has for the objects of the file; NULL: out of memory. */
static int64_t *unpack_objects(struct csg_unpack *u, struct csg_branch_profile *profile, size_t *n)
{
	int64_t *numbers;

	*n = csg_unpack_count(u, sizeof(uint64_t));
	numbers = calloc(*n + 1, sizeof(*numbers));
	for (size_t i = 0; numbers && i < *n && !u->failed; i++) {
		const char *text = csg_unpack_text(u);
		char name[CSG_PROFILE_NAME] = "";

		u->failed |= !text || !is_file_name(text);
		if (u->failed)
			break;
		memcpy(name, text, strlen(text));
		numbers[i] = csg_keyset_add(&profile->objects, name);
		if (numbers[i] < 0) {
			free(numbers);
			return NULL;
		}
	}
	return numbers;
}

static int add_counts(struct csg_unpack *u, struct csg_branch_profile *profile,
		      const int64_t *numbers, size_t objects)
{
	const size_t n = csg_unpack_count(u, COUNT_BYTES);
	int err = 0;

	for (size_t i = 0; !err && i < n && !u->failed; i++) {
		const uint64_t object = csg_unpack_number(u);
		const bool is_branch = csg_unpack_below(u, 2);
		struct csg_profile_count count = {.object = UINT32_MAX};

		if (object != UINT32_MAX && object >= objects)
			u->failed = true;
		else if (object != UINT32_MAX)
			count.object = (uint32_t)numbers[object];
		count.from = csg_unpack_number(u);
		count.to = csg_unpack_number(u);
		count.count = csg_unpack_number(u);
		if (!u->failed && count.object != UINT32_MAX)
			err = csg_branch_profile_join(profile, is_branch, &count);
	}
	return err ? err : u->failed ? -CSG_E_CORRUPT : 0;
}

int csg_profile_unpack(struct csg_unpack *u, struct csg_branch_profile *profile)
{
	size_t n;
	int64_t *numbers = unpack_objects(u, profile, &n);
	int err;

	if (!numbers)
		return -CSG_E_NO_MEMORY;
	err = add_counts(u, profile, numbers, n);
	free(numbers);
	return err;
}
