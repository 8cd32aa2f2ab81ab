/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/spool.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"

#define TRIM_PIECES 64 /* that are used before their memory is let go of */

static size_t piece_count(const struct csg_spool *s)
{
	return (size_t)((s->n + CSG_SPOOL_PIECE - 1) / CSG_SPOOL_PIECE);
}

static void trim(const struct csg_spool *s, size_t pieces)
{
	if (pieces % TRIM_PIECES == 0)
		csg_disk_memory_trim(s->memory);
}

static void add_piece(struct csg_spool *s)
{
	const size_t count = piece_count(s);
	uint8_t *piece;

	trim(s, count);
	s->failed |= csg_array_grow((void **)&s->pieces, count, &s->capacity, sizeof(piece)) != 0;
	piece = s->failed ? NULL : csg_disk_memory_alloc(s->memory, CSG_SPOOL_PIECE);
	s->failed |= !piece;
	if (piece)
		s->pieces[count] = piece;
}

void csg_spool_add(struct csg_spool *s, const void *bytes, size_t n)
{
	const uint8_t *from = bytes;

	while (n) {
		const size_t used = (size_t)(s->n % CSG_SPOOL_PIECE);
		const size_t part = n < CSG_SPOOL_PIECE - used ? n : CSG_SPOOL_PIECE - used;

		if (!used)
			add_piece(s);
		if (s->failed)
			return;
		memcpy(s->pieces[s->n / CSG_SPOOL_PIECE] + used, from, part);
		s->n += part;
		from += part;
		n -= part;
	}
}

int csg_spool_each(const struct csg_spool *s, int (*take)(void *arg, const void *bytes, size_t n),
		   void *arg)
{
	int ret = 0;

	for (uint64_t done = 0; !ret && done < s->n; done += CSG_SPOOL_PIECE) {
		const size_t i = (size_t)(done / CSG_SPOOL_PIECE);
		const uint64_t rest = s->n - done;

		trim(s, i);
		ret = take(arg, s->pieces[i],
			   rest < CSG_SPOOL_PIECE ? (size_t)rest : CSG_SPOOL_PIECE);
	}
	return ret;
}

void csg_spool_fini(struct csg_spool *s)
{
	for (size_t i = 0; i < piece_count(s); i++)
		csg_disk_memory_free(s->memory, s->pieces[i], CSG_SPOOL_PIECE);
	free(s->pieces);
	*s = (struct csg_spool){.memory = s->memory};
}
