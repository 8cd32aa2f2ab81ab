/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that is given back all at once: what an image hands out, for one (mappings, names,
 * patched pages) lives until the image is destroyed, so none of it is freed alone.
 */
#ifndef DECODER_UTIL_ARENA_H
#define DECODER_UTIL_ARENA_H

#include <stddef.h>
#include <stdint.h>

struct csg_arena {
	struct csg_arena_block *blocks;
	uint8_t *next;
	size_t left;
};

/* Zero-filled, aligned for any type; NULL when out of memory. */
void *csg_arena_alloc(struct csg_arena *arena, size_t size);
/* The same, large and not cleared: for those who do not fill all of it. */
void *csg_arena_room(struct csg_arena *arena, size_t size);
char *csg_arena_string(struct csg_arena *arena, const char *s);
char *csg_arena_substring(struct csg_arena *arena, const char *s, size_t len);
void csg_arena_fini(struct csg_arena *arena);

#endif
