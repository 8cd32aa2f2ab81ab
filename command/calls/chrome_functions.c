/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls/chrome_functions.h"

#include <stdlib.h>

#include "csguest/error.h"
#include "util/array.h"

int csg_chrome_functions_init(struct csg_chrome_functions *f, size_t n)
{
	f->lanes = calloc(n + 1, sizeof(*f->lanes));
	f->n = f->lanes ? n : 0;
	return f->lanes ? 0 : -CSG_E_NO_MEMORY;
}

void csg_chrome_functions_fini(struct csg_chrome_functions *f)
{
	for (size_t i = 0; i < f->n; i++)
		free(f->lanes[i].labels);
	free(f->lanes);
	f->lanes = NULL;
	f->n = 0;
}

/* Leaves what is open until only n are. */
static int leave(struct csg_chrome_functions *f, uint32_t stream, size_t n)
{
	struct csg_chrome_lane *lane = &f->lanes[stream];
	int err = 0;

	while (!err && lane->n > n) {
		lane->n--;
		err = f->event(f->arg, stream, lane, false, lane->labels[lane->n]);
	}
	return err;
}

int csg_chrome_functions_cut(struct csg_chrome_functions *f, uint32_t stream)
{
	return leave(f, stream, 0);
}

static int enter(struct csg_chrome_functions *f, uint32_t stream, uint32_t label)
{
	struct csg_chrome_lane *lane = &f->lanes[stream];

	if (csg_array_reach((void **)&lane->labels, &lane->capacity, lane->n,
			    sizeof(*lane->labels)))
		return -CSG_E_NO_MEMORY;
	lane->labels[lane->n++] = label;
	return f->event(f->arg, stream, lane, true, label);
}

/* The functions of a stack are those that are open from *at on. */
static int follow(struct csg_chrome_functions *f, uint32_t stream, const struct csg_stack *stack,
		  size_t *at)
{
	struct csg_chrome_lane *lane = &f->lanes[stream];
	int err = 0;

	for (uint32_t i = 0; !err && i < stack->depth; i++) {
		const uint32_t label = csg_stack_frame(stack, i)->function.label;

		if (!csg_call_filter_label(f->filter, f->lookup, f->follower, label))
			continue;
		if (*at == lane->n || lane->labels[*at] != label) {
			err = leave(f, stream, *at);
			if (!err)
				err = enter(f, stream, label);
		}
		(*at)++;
	}
	return err;
}

int csg_chrome_functions_run(struct csg_chrome_functions *f, uint32_t stream,
			     const struct csg_stack *stack, uint32_t number)
{
	const struct csg_owner *owner = f->lookup->owner(f->lookup->arg, number);
	const struct csg_stack *under = csg_stack_under(stack, false);
	struct csg_chrome_lane *lane = &f->lanes[stream];
	size_t at = 0;
	int err = 0;

	if (owner->world != CSG_WORLD_GUEST || owner->vm < 0 || owner->vcpu < 0 ||
	    !csg_call_filter_owner(f->filter, owner))
		return leave(f, stream, 0);
	if (lane->vm != owner->vm || lane->vcpu != owner->vcpu)
		err = leave(f, stream, 0);
	lane->vm = owner->vm;
	lane->vcpu = owner->vcpu;
	if (!err && under)
		err = follow(f, stream, under, &at);
	if (!err)
		err = follow(f, stream, stack, &at);
	return err ? err : leave(f, stream, at);
}
