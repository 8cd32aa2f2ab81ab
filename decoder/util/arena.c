/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/arena.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_SIZE (64 * 1024)
#define ALIGNMENT 16

struct csg_arena_block {
	struct csg_arena_block *older;
	_Alignas(ALIGNMENT) uint8_t bytes[];
};

static struct csg_arena_block *add_block(struct csg_arena *arena, size_t size, bool cleared)
{
	const size_t all = sizeof(struct csg_arena_block) + size;
	struct csg_arena_block *block = cleared ? calloc(1, all) : malloc(all);

	if (!block)
		return NULL;
	block->older = arena->blocks;
	arena->blocks = block;
	return block;
}

/* A block of its own; what is left of the current one stays in use. */
static void *alone(struct csg_arena *arena, size_t size, bool cleared)
{
	struct csg_arena_block *block =
		size <= SIZE_MAX / 2 ? add_block(arena, size, cleared) : NULL;

	return block ? block->bytes : NULL;
}

void *csg_arena_room(struct csg_arena *arena, size_t size)
{
	return alone(arena, size, false);
}

void *csg_arena_alloc(struct csg_arena *arena, size_t size)
{
	struct csg_arena_block *block;
	void *at;

	if (size > SIZE_MAX / 2)
		return NULL;
	size = size ? (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1) : ALIGNMENT;
	if (size > BLOCK_SIZE / 4)
		return alone(arena, size, true);
	if (size > arena->left) {
		block = add_block(arena, BLOCK_SIZE, true);
		if (!block)
			return NULL;
		arena->next = block->bytes;
		arena->left = BLOCK_SIZE;
	}
	at = arena->next;
	arena->next += size;
	arena->left -= size;
	return at;
}

char *csg_arena_substring(struct csg_arena *arena, const char *s, size_t len)
{
	char *copy = csg_arena_alloc(arena, len + 1);

	if (copy)
		memcpy(copy, s, len);
	return copy;
}

char *csg_arena_string(struct csg_arena *arena, const char *s)
{
	return csg_arena_substring(arena, s, strlen(s));
}

void csg_arena_fini(struct csg_arena *arena)
{
	while (arena->blocks) {
		struct csg_arena_block *older = arena->blocks->older;

		free(arena->blocks);
		arena->blocks = older;
	}
	arena->next = NULL;
	arena->left = 0;
}
