/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow/blocks.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"

#define FIRST_ROOM 1024		/* slots of the table */
#define PAGE_BLOCKS 512		/* blocks that are allocated together */
#define MAX_BLOCKS (512u << 10) /* 40 MB */

int csg_blocks_init(struct csg_blocks *b)
{
	*b = (struct csg_blocks){.mask = FIRST_ROOM - 1};
	b->table = calloc(FIRST_ROOM, sizeof(struct csg_block *));
	return b->table ? 0 : -CSG_E_NO_MEMORY;
}

void csg_blocks_fini(struct csg_blocks *b)
{
	for (size_t i = 0; i < b->page_count + b->retired; i++)
		free(b->pages[i]);
	free(b->pages);
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
	size_t room = 2 * (b->mask + 1), left = b->count;
	struct csg_block **table = calloc(room, sizeof(struct csg_block *));

	if (!table)
		return false;
	free(b->table);
	b->table = table;
	b->mask = room - 1;
	for (size_t p = 0; left; p++)
		for (size_t i = 0; i < PAGE_BLOCKS && left; i++, left--)
			insert(b, &b->pages[p][i]);
	return true;
}

static bool add_page(struct csg_blocks *b)
{
	struct csg_block *page;

	if (b->page_count + b->retired == b->page_room) {
		size_t room = b->page_room ? 2 * b->page_room : 64;
		struct csg_block **pages = realloc(b->pages, room * sizeof(struct csg_block *));

		if (!pages)
			return false;
		b->pages = pages;
		b->page_room = room;
	}
	page = aligned_alloc(_Alignof(struct csg_block), PAGE_BLOCKS * sizeof(*page));
	if (!page)
		return false;
	b->pages[b->page_count + b->retired] = b->pages[b->page_count];
	b->pages[b->page_count++] = page;
	return true;
}

struct csg_block *csg_blocks_add(struct csg_blocks *b, const struct csg_block *key)
{
	struct csg_block *block;

	if (b->used == PAGE_BLOCKS) {
		b->page++;
		b->used = 0;
	}
	if (b->count == MAX_BLOCKS || (b->count > b->mask / 2 && !grow_table(b)) ||
	    (b->page == b->page_count && !add_page(b)))
		return NULL;
	block = &b->pages[b->page][b->used++];
	*block = *key;
	block->number = ++b->numbers;
	b->count++;
	insert(b, block);
	return block;
}

/* Pages with blocks change places with empty ones, and are not filled any more. */
static void retire_pages(struct csg_blocks *b)
{
	size_t full = b->page + (b->page < b->page_count), empty = b->page_count - full;

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
	if (keep)
		retire_pages(b);
	b->count = b->used = b->page = 0;
}

void csg_blocks_release(struct csg_blocks *b)
{
	b->page_count += b->retired;
	b->retired = 0;
}
