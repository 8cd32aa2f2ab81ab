/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/user_places.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/bisect.h"

void csg_user_places_fini(struct csg_user_places *p)
{
	free(p->places);
	*p = (struct csg_user_places){0};
}

void csg_user_places_event(struct csg_user_places *p, const struct csg_track_event *event)
{
	if (event->context.el != CSG_EL0 || event->context.has_contextidr ||
	    (event->kind != CSG_TRACK_ADDRESS &&
	     (event->kind != CSG_TRACK_EXCEPTION || !event->has_address)))
		return;
	if (csg_array_grow((void **)&p->places, p->count, &p->capacity, sizeof(*p->places))) {
		p->failed = true;
		return;
	}
	p->places[p->count++] = (struct csg_user_place){event->index, event->address};
}

static size_t find(const struct csg_user_places *p, uint64_t index)
{
	size_t i;

	CSG_BISECT(i, p->count, p->places[i].index < index);
	return i;
}

void csg_user_places_forget(struct csg_user_places *p, uint64_t index)
{
	const size_t n = find(p, index);

	/* Not of each: those that follow are moved. */
	if (n < p->count / 2 || !n)
		return;
	p->count -= n;
	memmove(p->places, p->places + n, p->count * sizeof(*p->places));
}

const struct csg_user_place *csg_user_places_from(const struct csg_user_places *p, uint64_t from)
{
	return p->places + find(p, from);
}
