/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/code_chunks.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "csguest/error.h"

const struct csg_code_chunk csg_code_chunk_none;

void csg_code_chunks_init(struct csg_code_chunks *c, size_t max)
{
	*c = (struct csg_code_chunks){.max = max};
}

void csg_code_chunks_fini(struct csg_code_chunks *c)
{
	csg_code_chunks_empty(c, 0);
	for (size_t i = 0; i < c->spare_count; i++)
		free(c->spare[i]);
	for (size_t i = 0; i < c->place_count; i++)
		free(c->places[i].chunks);
	free(c->places);
	free(c->used);
	free(c->spare);
	*c = (struct csg_code_chunks){0};
}

static int widen_place(struct csg_code_place *place, size_t chunk)
{
	size_t before = place->n;

	if (csg_array_reserve((void **)&place->chunks, &place->n, chunk + 1,
			      sizeof(struct csg_code_chunk *)))
		return -CSG_E_NO_MEMORY;
	for (size_t i = before; i < place->n; i++)
		place->chunks[i] = (struct csg_code_chunk *)&csg_code_chunk_none;
	return 0;
}

/* Room for one more that is in use, and for it to be spare again. */
static int make_room(struct csg_code_chunks *c)
{
	if (c->used_count >= c->max)
		return -CSG_E_LIMIT;
	if (csg_array_grow((void **)&c->used, c->used_count, &c->used_capacity, sizeof(*c->used)) ||
	    csg_array_grow((void **)&c->spare, c->used_count + c->spare_count, &c->spare_capacity,
			   sizeof(*c->spare)))
		return -CSG_E_NO_MEMORY;
	return 0;
}

static int use_chunk(struct csg_code_chunks *c, uint32_t place, size_t chunk)
{
	struct csg_code_chunk *fresh;
	int err = make_room(c);

	if (err)
		return err;
	fresh = c->spare_count ? c->spare[--c->spare_count] : calloc(1, sizeof(*fresh));
	if (!fresh)
		return -CSG_E_NO_MEMORY;
	c->places[place].chunks[chunk] = fresh;
	c->used[c->used_count++] = (struct csg_code_use){place, (uint32_t)chunk};
	return 0;
}

int csg_code_chunks_make(struct csg_code_chunks *c, uint32_t place, uint32_t code,
			 struct csg_code_count **count)
{
	uint32_t offset = code - c->base;
	size_t chunk = offset / CSG_CHUNK_CODES;
	int err;

	if (offset >= CSG_CHUNK_WINDOW)
		return -CSG_E_LIMIT;
	err = csg_array_reach((void **)&c->places, &c->place_count, place, sizeof(*c->places));
	if (!err)
		err = widen_place(&c->places[place], chunk);
	if (!err && c->places[place].chunks[chunk] == &csg_code_chunk_none)
		err = use_chunk(c, place, chunk);
	if (!err)
		*count = csg_code_place_count(&c->places[place], offset);
	return err;
}

static int by_code(const void *a, const void *b)
{
	const struct csg_code_use *x = a, *y = b;

	if (x->chunk != y->chunk)
		return x->chunk < y->chunk ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

void csg_code_chunks_sort(struct csg_code_chunks *c)
{
	if (c->used_count)
		qsort(c->used, c->used_count, sizeof(*c->used), by_code);
}

void csg_code_chunks_empty(struct csg_code_chunks *c, uint32_t code)
{
	for (size_t i = 0; i < c->used_count; i++) {
		const struct csg_code_use *use = &c->used[i];
		struct csg_code_chunk *chunk = csg_code_chunks_of(c, use);

		memset(chunk, 0, sizeof(*chunk));
		c->spare[c->spare_count++] = chunk;
		c->places[use->place].chunks[use->chunk] =
			(struct csg_code_chunk *)&csg_code_chunk_none;
	}
	c->used_count = 0;
	c->base = code > CSG_CHUNK_WINDOW / 2 ? code - CSG_CHUNK_WINDOW / 2 : 0;
	c->base -= c->base % CSG_CHUNK_CODES;
}
