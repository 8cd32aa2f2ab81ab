/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/slices/user_code.h"

#include <stdlib.h>

#include "csguest/error.h"
#include "util/array.h"
#include "util/bisect.h"

#define PAGE_BITS 12

void csg_user_code_fini(struct csg_user_code *c)
{
	free(c->pages);
	csg_hash_fini(&c->known);
	*c = (struct csg_user_code){.count = 0};
}

static bool is_page(const void *owner, uint32_t entry, const void *key)
{
	const struct csg_user_code *c = owner;
	const uint64_t *page = key;

	return c->pages[c->slice + entry].address >> PAGE_BITS == *page;
}

int csg_user_code_see(struct csg_user_code *c, uint64_t address, uint64_t index)
{
	const uint64_t page = address >> PAGE_BITS;
	uint32_t hash;

	if (!c->may_have || (page == c->last && c->count > c->slice))
		return 0;
	c->last = page;
	hash = csg_hash_of(csg_hash_mix(0, page));
	if (csg_hash_find(&c->known, hash, is_page, c, &page) >= 0)
		return 0;
	if (csg_array_grow((void **)&c->pages, c->count, &c->capacity, sizeof(*c->pages)) ||
	    csg_hash_add(&c->known, hash, (uint32_t)(c->count - c->slice)))
		return -CSG_E_NO_MEMORY;
	c->pages[c->count++] = (struct csg_user_code_page){address, index};
	return 0;
}

void csg_user_code_end(struct csg_user_code *c)
{
	if (c->count == c->slice)
		return;
	csg_hash_clear(&c->known);
	c->slice = c->count;
}

void csg_user_code_forget(struct csg_user_code *c)
{
	csg_user_code_end(c);
	c->count = c->slice = 0;
}

const struct csg_user_code_page *csg_user_code_disproof(const struct csg_user_code *c,
							uint64_t begin, uint64_t end, int32_t pid)
{
	size_t i;

	CSG_BISECT(i, c->count, c->pages[i].index <= begin);
	for (; i < c->count && c->pages[i].index < end; i++)
		if (!c->may_have(c->arg, pid, c->pages[i].address))
			return &c->pages[i];
	return NULL;
}
