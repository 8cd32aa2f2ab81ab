// SPDX-License-Identifier: BSD-3-Clause
#include "codemap.h"

#include "util.h"

void codemap_init(struct codemap *map)
{
	memset(map, 0, sizeof(*map));
	map->slots = 1 << 16;
	map->slot = calloc(map->slots, sizeof(*map->slot));
	if (!map->slot)
		exit(2);
}

void codemap_fini(struct codemap *map)
{
	for (size_t i = 0; i < map->pages; i++)
		free(map->page[i]);
	free(map->page);
	free(map->slot);
}

/* The slot of a page, or the free one where it would be. */
static size_t find(const struct codemap *map, const struct code_space *space, uint64_t base)
{
	uint64_t h = (base >> 12) * 0x9e3779b97f4a7c15u ^ (uint64_t)(uint32_t)space->vm << 32 ^
		     (uint64_t)(uint32_t)space->pid * 0xff51afd7ed558ccdu ^
		     (uint64_t)space->number * 0xc4ceb9fe1a85ec53u ^
		     (uint64_t)(uint32_t)space->nested * 0x94d049bb133111ebu;
	size_t at = (h ^ h >> 29) % map->slots;

	for (;; at = (at + 1) % map->slots) {
		const struct code_page *p;

		if (!map->slot[at])
			return at;
		p = map->page[map->slot[at] - 1];
		if (p->base == base && p->space.vm == space->vm && p->space.pid == space->pid &&
		    p->space.number == space->number && p->space.nested == space->nested)
			return at;
	}
}

void codemap_add(struct codemap *map, const struct code_space *space, uint64_t addr, uint32_t op,
		 uint64_t time)
{
	uint64_t base = addr & ~(uint64_t)(CODE_PAGE - 1);
	unsigned word = (unsigned)(addr - base) / 4;
	size_t at = find(map, space, base);
	struct code_page *p;

	if (!map->slot[at]) {
		if (2 * map->pages > map->slots) {
			fprintf(stderr, "more code pages than the table holds\n");
			exit(2);
		}
		p = calloc(1, sizeof(*p));
		if (!p)
			exit(2);
		p->space = *space;
		p->base = base;
		p->time = time;
		map->page = grow(map->page, map->pages, sizeof(*map->page));
		map->page[map->pages++] = p;
		map->slot[at] = (uint32_t)map->pages;
	}
	p = map->page[map->slot[at] - 1];
	if (code_executed(p, word) && p->op[word] != op && !map->changed++)
		map->changed_at = addr;
	p->op[word] = op;
	p->executed[word / 8] |= (uint8_t)(1 << word % 8);
}

bool codemap_get(const struct codemap *map, const struct code_space *space, uint64_t addr,
		 uint32_t *op)
{
	uint64_t base = addr & ~(uint64_t)(CODE_PAGE - 1);
	size_t at = find(map, space, base);
	unsigned word = (unsigned)(addr - base) / 4;

	if (!map->slot[at] || !code_executed(map->page[map->slot[at] - 1], word))
		return false;
	*op = map->page[map->slot[at] - 1]->op[word];
	return true;
}
