/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls/nest.h"

#include <stdlib.h>

#include "csguest/error.h"
#include "util/array.h"

void csg_nest_fini(struct csg_nest *nest)
{
	free(nest->open);
	*nest = (struct csg_nest){0};
}

/* It is that time. */
static void pass(struct csg_nest *nest, const struct csg_nest_client *c, uint64_t time)
{
	for (; nest->window < c->windows->n; nest->window++) {
		const struct csg_slice_window *w = &c->windows->at[nest->window];

		if (w->begin > time)
			return;
		for (size_t i = 0; !nest->inside && i < nest->n; i++)
			c->event(c->arg, true, w->begin, i, nest->open[i]);
		nest->inside = true;
		if (w->end > time)
			return;
		for (size_t i = nest->n; i-- > 0;)
			c->event(c->arg, false, w->end, i, nest->open[i]);
		nest->inside = false;
	}
}

int csg_nest_enter(struct csg_nest *nest, const struct csg_nest_client *c, uint64_t time,
		   uint64_t what)
{
	pass(nest, c, time);
	if (csg_array_reach((void **)&nest->open, &nest->capacity, nest->n, sizeof(*nest->open)))
		return -CSG_E_NO_MEMORY;
	if (nest->inside)
		c->event(c->arg, true, time, nest->n, what);
	nest->open[nest->n++] = what;
	return 0;
}

void csg_nest_leave(struct csg_nest *nest, const struct csg_nest_client *c, uint64_t time)
{
	pass(nest, c, time);
	if (!nest->n)
		return;
	nest->n--;
	if (nest->inside)
		c->event(c->arg, false, time, nest->n, nest->open[nest->n]);
}
