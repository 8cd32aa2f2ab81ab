/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow/core/blocks.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "util/array.h"

#define FIRST_CAPACITY 64	/* slots of the table */
#define MAX_BLOCKS (512u << 10) /* 48 MB */

int csg_blocks_init(struct csg_blocks *b)
{
	*b = (struct csg_blocks){.mask = FIRST_CAPACITY - 1, .way_capacity = 1};
	b->table = calloc(FIRST_CAPACITY, sizeof(struct csg_block *));
	b->ways = calloc(1, sizeof(*b->ways));
	if (b->table && b->ways)
		return 0;
	csg_blocks_fini(b);
	return -CSG_E_NO_MEMORY;
}

void csg_blocks_fini(struct csg_blocks *b)
{
	for (size_t i = 0; i < b->page_count + b->retired; i++)
		free(b->pages[i]);
	free(b->pages);
	free(b->landings);
	free(b->ways);
	free(b->table);
	*b = (struct csg_blocks){0};
}

static size_t slot_of(const struct csg_blocks *b, uint64_t space, uint64_t address)
{
	return (size_t)(((address >> 1) ^ space * 31) * 0x9e3779b97f4a7c15u >> 32) & b->mask;
}

struct csg_block *csg_blocks_find(const struct csg_blocks *b, uint64_t space, uint64_t address,
				  uint8_t isa, uint8_t it)
{
	struct csg_block *block;

	for (size_t i = slot_of(b, space, address); (block = b->table[i]); i = (i + 1) & b->mask)
		if (block->space == space && csg_block_is(block, address, isa, it))
			break;
	return block;
}

static void insert(struct csg_blocks *b, struct csg_block *block)
{
	size_t i = slot_of(b, block->space, block->start);

	while (b->table[i])
		i = (i + 1) & b->mask;
	b->table[i] = block;
}

/* Twice as many slots. */
static bool grow_table(struct csg_blocks *b)
{
	size_t capacity = 2 * (b->mask + 1);
	struct csg_block **table = calloc(capacity, sizeof(struct csg_block *));

	if (!table)
		return false;
	free(b->table);
	b->table = table;
	b->mask = capacity - 1;
	for (uint32_t at = 1; at <= b->count; at++)
		insert(b, csg_blocks_at(b, at));
	return true;
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
	return b->landings && b->count < MAX_BLOCKS && (b->count <= b->mask / 2 || grow_table(b)) &&
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
	at = (uint32_t)++b->count;
	b->ways[at] = *way;
	block = csg_blocks_at(b, at);
	*block = *key;
	block->at = at;
	block->number = ++b->numbers;
	insert(b, block);
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
	memset(b->table, 0, (b->mask + 1) * sizeof(struct csg_block *));
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
