/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow/core/blocks.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "util/array.h"

#define FIRST_CAPACITY 64
#define MAX_BLOCKS (512u << 10) /* 48 MB */

int csg_blocks_init(struct csg_blocks *b)
{
	*b = (struct csg_blocks){.way_capacity = 1};
	b->ways = calloc(1, sizeof(*b->ways));
	return b->ways ? 0 : -CSG_E_NO_MEMORY;
}

void csg_blocks_fini(struct csg_blocks *b)
{
	for (size_t i = 0; i < b->page_count + b->retired; i++)
		free(b->pages[i]);
	free(b->pages);
	free(b->landings);
	free(b->ways);
	csg_hash_fini(&b->by_code);
	*b = (struct csg_blocks){0};
}

/* What selects the bytes of a block. */
struct code_key {
	uint64_t space, address;
	uint8_t isa, it;
};

static bool equal(const void *blocks, uint32_t at, const void *key)
{
	const struct csg_block *block = csg_blocks_at(blocks, at);
	const struct code_key *want = key;

	return block->space == want->space &&
	       csg_block_is(block, want->address, want->isa, want->it);
}

static uint32_t hash_of(uint64_t space, uint64_t address)
{
	return csg_hash_of(csg_hash_mix(space * 31, address >> 1));
}

struct csg_block *csg_blocks_find(const struct csg_blocks *b, uint64_t space, uint64_t address,
				  uint8_t isa, uint8_t it)
{
	const struct code_key key = {space, address, isa, it};
	const int64_t at = csg_hash_find(&b->by_code, hash_of(space, address), equal, b, &key);

	return at < 0 ? NULL : csg_blocks_at(b, (uint32_t)at);
}

static bool grow_ways(struct csg_blocks *b)
{
	const size_t want = b->way_capacity > 1 ? b->way_capacity + 1 : FIRST_CAPACITY;

	return !csg_array_reserve((void **)&b->ways, &b->way_capacity, want, sizeof(*b->ways));
}

static bool add_page(struct csg_blocks *b)
{
	struct csg_block *page;

	if (csg_array_grow((void **)&b->pages, b->page_count + b->retired, &b->page_capacity,
			   sizeof(struct csg_block *)))
		return false;
	page = aligned_alloc(_Alignof(struct csg_block), CSG_PAGE_BLOCKS * sizeof(*page));
	if (!page)
		return false;
	b->pages[b->page_count + b->retired] = b->pages[b->page_count];
	b->pages[b->page_count++] = page;
	return true;
}

/* For one block more. */
static bool make_room(struct csg_blocks *b)
{
	if (!b->landings)
		b->landings = calloc(CSG_LANDINGS, sizeof(*b->landings));
	return b->landings && b->count < MAX_BLOCKS &&
	       (b->count + 1 < b->way_capacity || grow_ways(b)) &&
	       ((b->count + 1) / CSG_PAGE_BLOCKS < b->page_count || add_page(b));
}

struct csg_block *csg_blocks_add(struct csg_blocks *b, const struct csg_block *key,
				 const struct csg_block_way *way)
{
	struct csg_block *block;
	uint32_t at;

	if (!make_room(b))
		return NULL;
	at = (uint32_t)b->count + 1;
	if (csg_hash_add(&b->by_code, hash_of(key->space, key->start), at))
		return NULL;
	b->count++;
	b->ways[at] = *way;
	block = csg_blocks_at(b, at);
	*block = *key;
	block->at = at;
	block->number = ++b->numbers;
	return block;
}

/* Pages with blocks change places with empty ones, and are not filled any more. */
static void retire_pages(struct csg_blocks *b)
{
	size_t full = b->count / CSG_PAGE_BLOCKS + 1, empty = b->page_count - full;

	for (size_t i = 0; i < full && i < empty; i++) {
		struct csg_block *page = b->pages[i];

		b->pages[i] = b->pages[b->page_count - 1 - i];
		b->pages[b->page_count - 1 - i] = page;
	}
	b->page_count -= full;
	b->retired += full;
}

void csg_blocks_forget(struct csg_blocks *b, bool keep)
{
	if (!b->count)
		return;
	csg_hash_clear(&b->by_code);
	memset(b->landings, 0, CSG_LANDINGS * sizeof(*b->landings));
	if (keep)
		retire_pages(b);
	b->count = 0;
}

void csg_blocks_release(struct csg_blocks *b)
{
	b->page_count += b->retired;
	b->retired = 0;
}
