/* SPDX-License-Identifier: BSD-3-Clause */
#include "stack/earliest.h"

#include <stdbool.h>
#include <stdlib.h>

#include "csguest/error.h"

#define NONE UINT32_MAX

int csg_earliest_init(struct csg_earliest *e, size_t n)
{
	*e = (struct csg_earliest){
		.times = calloc(n + 1, sizeof(*e->times)),
		.places = calloc(n + 1, sizeof(*e->places)),
		.order = calloc(n + 1, sizeof(*e->order)),
	};
	if (!e->times || !e->places || !e->order)
		return -CSG_E_NO_MEMORY;
	for (size_t i = 0; i < n; i++)
		e->places[i] = NONE;
	return 0;
}

void csg_earliest_fini(struct csg_earliest *e)
{
	free(e->times);
	free(e->places);
	free(e->order);
	*e = (struct csg_earliest){0};
}

static bool is_before(const struct csg_earliest *e, uint32_t a, uint32_t b)
{
	return e->times[a] != e->times[b] ? e->times[a] < e->times[b] : a < b;
}

static void put(struct csg_earliest *e, uint32_t at, uint32_t stream)
{
	e->order[at] = stream;
	e->places[stream] = at;
}

/* Puts the stream where it belongs, at a place that is free, above or below it. */
static void settle(struct csg_earliest *e, uint32_t at, uint32_t stream)
{
	uint32_t child;

	for (; at && is_before(e, stream, e->order[(at - 1) / 2]); at = (at - 1) / 2)
		put(e, at, e->order[(at - 1) / 2]);
	while ((child = 2 * at + 1) < e->n) {
		if (child + 1 < e->n && is_before(e, e->order[child + 1], e->order[child]))
			child++;
		if (!is_before(e, e->order[child], stream))
			break;
		put(e, at, e->order[child]);
		at = child;
	}
	put(e, at, stream);
}

void csg_earliest_set(struct csg_earliest *e, uint32_t stream, uint64_t time)
{
	uint32_t at = e->places[stream];

	e->times[stream] = time;
	settle(e, at == NONE ? e->n++ : at, stream);
}

void csg_earliest_remove(struct csg_earliest *e, uint32_t stream)
{
	uint32_t at = e->places[stream], last;

	if (at == NONE)
		return;
	e->places[stream] = NONE;
	last = e->order[--e->n];
	if (last != stream)
		settle(e, at, last);
}

uint32_t csg_earliest_get(const struct csg_earliest *e)
{
	return e->n ? e->order[0] : NONE;
}
