/* SPDX-License-Identifier: BSD-3-Clause */
#include "stack/moves.h"

#include <stdlib.h>

#include "base/bisect.h"
#include "csguest/error.h"

#define NONE UINT32_MAX

static int by_thread(const void *pa, const void *pb)
{
	const struct csg_move_stay *a = pa, *b = pb;

	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	return (a->from > b->from) - (a->from < b->from);
}

static size_t count_stays(const struct csg_residency *residency, const int32_t *cpus,
			  size_t streams)
{
	size_t all = 0, n;

	for (size_t i = 0; i < streams; i++) {
		csg_residency_stays(residency, cpus[i], &n);
		all += n;
	}
	return all;
}

int csg_moves_init(struct csg_moves *moves, const struct csg_residency *residency,
		   const int32_t *cpus, size_t streams)
{
	*moves = (struct csg_moves){0};
	if (!residency)
		return 0;
	moves->stays = calloc(count_stays(residency, cpus, streams) + 1, sizeof(*moves->stays));
	if (!moves->stays)
		return -CSG_E_NO_MEMORY;
	for (uint32_t i = 0; i < streams; i++) {
		size_t n;
		const struct csg_stay *stay = csg_residency_stays(residency, cpus[i], &n);

		for (size_t k = 0; k < n; k++)
			moves->stays[moves->n++] = (struct csg_move_stay){
				.tid = stay[k].tid,
				.stream = i,
				.from = stay[k].from,
				.until = stay[k].until,
			};
	}
	qsort(moves->stays, moves->n, sizeof(*moves->stays), by_thread);
	return 0;
}

void csg_moves_fini(struct csg_moves *moves)
{
	free(moves->stays);
	moves->stays = NULL;
	moves->n = 0;
}

/* The first stay of tid. */
static size_t first_of(const struct csg_moves *moves, int32_t tid)
{
	size_t i;

	CSG_BISECT(i, moves->n, moves->stays[i].tid < tid);
	return i;
}

uint32_t csg_moves_await(struct csg_moves *moves, int32_t tid, uint32_t stream,
			 const uint64_t *times)
{
	uint32_t behind = NONE;

	if (!times[stream])
		return NONE;
	for (size_t i = first_of(moves, tid); i < moves->n && moves->stays[i].tid == tid; i++) {
		struct csg_move_stay *stay = &moves->stays[i];

		if (stay->entered)
			continue;
		/* The stay that begins is the first here that the trace is not past. */
		if (stay->stream == stream && stay->until >= times[stream]) {
			stay->entered = behind == NONE;
			return behind;
		}
		if (stay->stream != stream && times[stay->stream] < stay->until)
			behind = stay->stream;
	}
	return NONE;
}
