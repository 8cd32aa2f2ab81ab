/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/source_lines.h"

#include <stdio.h>
#include <stdlib.h>

#include "util/array.h"
#include "util/hash.h"

#define CACHED 16384 /* addresses, a power of two */

/* Compared byte by byte. */
struct line {
	const char *file;
	uint64_t number;
};

/* The line at an address between two times, both included. */
struct csg_source_line_at {
	struct csg_space *space; /* NULL: nothing is cached */
	uint64_t address, from, last;
	uint32_t number;
};

void csg_source_lines_init(struct csg_source_lines *l, const struct csg_lookup *lookup)
{
	*l = (struct csg_source_lines){.lookup = lookup};
	csg_keyset_init(&l->lines, sizeof(struct line));
}

void csg_source_lines_fini(struct csg_source_lines *l)
{
	for (size_t i = 0; i < l->text_n; i++)
		free(l->texts[i]);
	free(l->texts);
	free(l->cache);
	csg_keyset_fini(&l->lines);
	*l = (struct csg_source_lines){0};
}

static uint32_t look_up(struct csg_source_lines *l, struct csg_space *space, uint64_t address,
			uint64_t time)
{
	struct line line = {0};
	int64_t number;
	int at = 0;

	l->lookup->line(l->lookup->arg, space, address, time, &line.file, &at);
	if (!line.file)
		return 0;
	line.number = (uint64_t)at;
	number = csg_keyset_add(&l->lines, &line);
	l->no_memory |= number < 0;
	return number < 0 ? 0 : (uint32_t)number + 1;
}

/* Until when (inclusive) the same code lies there. */
static uint64_t last_of(const struct csg_source_lines *l, struct csg_space *space, uint64_t address,
			uint64_t time)
{
	uint64_t until = time;
	const uint8_t *bytes;
	size_t len = 0;

	l->lookup->code(l->lookup->arg, space, address, time, &bytes, &len, &until);
	if (!len || until <= time)
		return time;
	return until == UINT64_MAX ? until : until - 1;
}

static struct csg_source_line_at *cached(const struct csg_source_lines *l, struct csg_space *space,
					 uint64_t address)
{
	return &l->cache[csg_hash_of(csg_hash_mix(address, (uintptr_t)space)) & (CACHED - 1)];
}

uint32_t csg_source_lines_at(struct csg_source_lines *l, struct csg_space *space, uint64_t address,
			     uint64_t time)
{
	struct csg_source_line_at *at;

	if (!space || !l->lookup->line)
		return 0;
	if (!l->cache)
		l->cache = calloc(CACHED, sizeof(*l->cache));
	if (!l->cache) {
		l->no_memory = true;
		return 0;
	}
	at = cached(l, space, address);
	if (at->space != space || at->address != address || time < at->from || time > at->last)
		*at = (struct csg_source_line_at){space, address, time,
						  last_of(l, space, address, time),
						  look_up(l, space, address, time)};
	return at->number;
}

const char *csg_source_lines_text(struct csg_source_lines *l, uint32_t number)
{
	const struct line *line;

	if (!number)
		return NULL;
	if (csg_array_reach((void **)&l->texts, &l->text_n, number, sizeof(*l->texts))) {
		l->no_memory = true;
		return NULL;
	}
	line = csg_keyset_get(&l->lines, number - 1);
	if (!l->texts[number] &&
	    asprintf(&l->texts[number], "%s:%d", line->file, (int)line->number) < 0) {
		l->texts[number] = NULL;
		l->no_memory = true;
	}
	return l->texts[number];
}
