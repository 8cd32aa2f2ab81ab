/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/maps/poke.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "util/array.h"

/* A change and one of the pages that it touches. */
struct touch {
	uint64_t page;
	size_t order;
};

int csg_pokes_add(struct csg_pokes *pokes, uint64_t address, uint64_t time,
		  const uint8_t *old_bytes, uint16_t old_len, const uint8_t *new_bytes,
		  uint16_t new_len)
{
	uint16_t longest = old_len > new_len ? old_len : new_len;
	struct csg_poke *poke;
	uint8_t *copy;
	int err;

	if (!longest || address > UINT64_MAX - longest - CSG_POKE_PAGE)
		return 0;
	err = csg_array_grow((void **)&pokes->pokes, pokes->count, &pokes->capacity,
			     sizeof(*pokes->pokes));
	if (err)
		return err;
	poke = csg_arena_alloc(pokes->arena, sizeof(*poke) + old_len + new_len);
	if (!poke)
		return -CSG_E_NO_MEMORY;
	copy = (uint8_t *)(poke + 1);
	if (old_len)
		memcpy(copy, old_bytes, old_len);
	if (new_len)
		memcpy(copy + old_len, new_bytes, new_len);
	if (pokes->count && pokes->pokes[pokes->count - 1]->time > time)
		time = pokes->pokes[pokes->count - 1]->time;
	*poke = (struct csg_poke){.address = address,
				  .time = time,
				  .old_bytes = copy,
				  .new_bytes = copy + old_len,
				  .old_len = old_len,
				  .new_len = new_len};
	pokes->pokes[pokes->count++] = poke;
	pokes->indexed = false;
	return 0;
}

static int by_page(const void *a, const void *b)
{
	const struct touch *x = a, *y = b;

	if (x->page != y->page)
		return x->page < y->page ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static uint64_t page_of(uint64_t addr)
{
	return addr & ~(uint64_t)(CSG_POKE_PAGE - 1);
}

static uint64_t end_of(const struct csg_poke *poke)
{
	return poke->address + (poke->old_len > poke->new_len ? poke->old_len : poke->new_len);
}

/* Which change touches which page, by page; *n gets how many. */
static struct touch *list_touches(const struct csg_pokes *pokes, size_t *n)
{
	struct touch *touches;

	*n = 0;
	for (size_t i = 0; i < pokes->count; i++)
		*n += (page_of(end_of(pokes->pokes[i]) - 1) - page_of(pokes->pokes[i]->address)) /
			      CSG_POKE_PAGE +
		      1;
	touches = malloc((*n + 1) * sizeof(*touches));
	if (!touches)
		return NULL;
	*n = 0;
	for (size_t i = 0; i < pokes->count; i++)
		for (uint64_t page = page_of(pokes->pokes[i]->address);
		     page < end_of(pokes->pokes[i]); page += CSG_POKE_PAGE)
			touches[(*n)++] = (struct touch){page, i};
	qsort(touches, *n, sizeof(*touches), by_page);
	return touches;
}

static int add_page(struct csg_pokes *pokes, const struct touch *touches, size_t n)
{
	struct csg_poked_page *page = &pokes->pages[pokes->page_count];

	page->start = touches[0].page;
	page->count = n;
	page->changes = csg_arena_alloc(pokes->arena, n * sizeof(*page->changes));
	page->versions = csg_arena_alloc(pokes->arena, (n + 1) * sizeof(*page->versions));
	if (!page->changes || !page->versions)
		return -CSG_E_NO_MEMORY;
	for (size_t i = 0; i < n; i++)
		page->changes[i] = pokes->pokes[touches[i].order];
	pokes->page_count++;
	return 0;
}

static int make_index(struct csg_pokes *pokes)
{
	struct touch *touches;
	size_t n, begin = 0;
	int err = 0;

	if (pokes->indexed)
		return 0;
	free(pokes->pages);
	pokes->pages = NULL;
	pokes->page_count = 0;
	touches = list_touches(pokes, &n);
	if (touches)
		pokes->pages = calloc(n + 1, sizeof(*pokes->pages));
	if (!pokes->pages)
		err = -CSG_E_NO_MEMORY;
	while (begin < n && !err) {
		size_t end = begin + 1;

		while (end < n && touches[end].page == touches[begin].page)
			end++;
		err = add_page(pokes, &touches[begin], end - begin);
		begin = end;
	}
	free(touches);
	pokes->indexed = !err;
	return err;
}

/* Index of the first page that ends after addr, or page_count. */
static size_t page_from(const struct csg_pokes *pokes, uint64_t addr)
{
	size_t low = 0, high = pokes->page_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (pokes->pages[middle].start < page_of(addr))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint64_t csg_pokes_next_page(struct csg_pokes *pokes, uint64_t addr)
{
	size_t i;

	if (!pokes->count || make_index(pokes))
		return UINT64_MAX;
	i = page_from(pokes, addr);
	return i < pokes->page_count ? pokes->pages[i].start : UINT64_MAX;
}

static void put(struct csg_poke_version *version, uint64_t page, uint64_t address,
		const uint8_t *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (address + i - page >= CSG_POKE_PAGE)
			continue;
		version->bytes[address + i - page] = bytes[i];
		version->known[address + i - page] = true;
	}
}

/* The page after the first done changes. */
static struct csg_poke_version *make_version(struct csg_pokes *pokes,
					     const struct csg_poked_page *page, size_t done,
					     const uint8_t *base, uint32_t base_begin,
					     uint32_t base_end)
{
	struct csg_poke_version *version = csg_arena_alloc(pokes->arena, sizeof(*version));

	if (!version)
		return NULL;
	version->from = done ? page->changes[done - 1]->time : 0;
	version->until = done < page->count ? page->changes[done]->time : UINT64_MAX;
	if (base_begin < base_end)
		put(version, page->start, page->start + base_begin, base, base_end - base_begin);
	/* What a change to come finds there is there now: the next one decides. */
	for (size_t i = page->count; i > done; i--)
		put(version, page->start, page->changes[i - 1]->address,
		    page->changes[i - 1]->old_bytes, page->changes[i - 1]->old_len);
	for (size_t i = 0; i < done; i++)
		put(version, page->start, page->changes[i]->address, page->changes[i]->new_bytes,
		    page->changes[i]->new_len);
	return version;
}

/* The page of addr in *page, or NULL where it has no changes. */
static int find_page(struct csg_pokes *pokes, uint64_t addr, struct csg_poked_page **page)
{
	size_t i;
	int err;

	*page = NULL;
	if (!pokes->count)
		return 0;
	err = make_index(pokes);
	if (err)
		return err;
	i = page_from(pokes, addr);
	if (i < pokes->page_count && pokes->pages[i].start == page_of(addr))
		*page = &pokes->pages[i];
	return 0;
}

int csg_pokes_page(struct csg_pokes *pokes, uint64_t addr, uint64_t time, const uint8_t *base,
		   uint32_t base_begin, uint32_t base_end, const struct csg_poke_version **version)
{
	struct csg_poked_page *page;
	size_t low = 0, high;
	int err = find_page(pokes, addr, &page);

	*version = NULL;
	if (err || !page)
		return err;
	high = page->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (page->changes[middle]->time <= time)
			low = middle + 1;
		else
			high = middle;
	}
	if (!page->versions[low])
		page->versions[low] = make_version(pokes, page, low, base, base_begin, base_end);
	*version = page->versions[low];
	return *version ? 0 : -CSG_E_NO_MEMORY;
}

/* Bytes that differ from those of version are not known any more. */
static void compare(struct csg_poke_version *version, uint64_t page, uint64_t address,
		    const uint8_t *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		uint64_t at = address + i - page;

		if (at < CSG_POKE_PAGE && version->bytes[at] != bytes[i])
			version->known[at] = false;
	}
}

static struct csg_poke_version *make_steady(struct csg_pokes *pokes,
					    const struct csg_poked_page *page, const uint8_t *base,
					    uint32_t base_begin, uint32_t base_end)
{
	struct csg_poke_version *version = make_version(pokes, page, 0, base, base_begin, base_end);

	if (!version)
		return NULL;
	version->until = UINT64_MAX;
	for (size_t i = 0; i < page->count; i++) {
		const struct csg_poke *poke = page->changes[i];

		compare(version, page->start, poke->address, poke->old_bytes, poke->old_len);
		compare(version, page->start, poke->address, poke->new_bytes, poke->new_len);
	}
	return version;
}

int csg_pokes_steady_page(struct csg_pokes *pokes, uint64_t addr, const uint8_t *base,
			  uint32_t base_begin, uint32_t base_end,
			  const struct csg_poke_version **version)
{
	struct csg_poked_page *page;
	int err = find_page(pokes, addr, &page);

	*version = NULL;
	if (err || !page)
		return err;
	if (!page->steady)
		page->steady = make_steady(pokes, page, base, base_begin, base_end);
	*version = page->steady;
	return *version ? 0 : -CSG_E_NO_MEMORY;
}

void csg_pokes_fini(struct csg_pokes *pokes)
{
	free(pokes->pokes);
	free(pokes->pages);
	pokes->pokes = NULL;
	pokes->pages = NULL;
	pokes->count = pokes->capacity = pokes->page_count = 0;
	pokes->indexed = false;
}
