/* SPDX-License-Identifier: BSD-3-Clause */
#include "view/calls.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"

static const struct csg_owner *owner_of(void *arg, uint32_t owner)
{
	struct csg_calls *calls = arg;

	return calls->lookup.owner(calls->lookup.arg, owner);
}

static const void *space_of(void *arg, uint32_t owner)
{
	struct csg_calls *calls = arg;

	return calls->lookup.space(calls->lookup.arg, owner);
}

static void function_at(void *arg, const void *space, uint64_t address, uint64_t when,
			struct csg_function *function, uint64_t *until)
{
	struct csg_calls *calls = arg;

	csg_functions_find(&calls->functions, space, address, when, function, until);
}

static void entered(void *arg, struct csg_frames *frames, enum csg_move why)
{
	struct csg_calls *calls = arg;

	calls->client.entered(calls->client.arg, frames, why);
}

static void leaving(void *arg, struct csg_frames *frames, enum csg_move why)
{
	struct csg_calls *calls = arg;

	calls->client.leaving(calls->client.arg, frames, why);
}

static void switched(void *arg, const struct csg_stack_switch *what)
{
	struct csg_calls *calls = arg;

	calls->client.switched(calls->client.arg, what);
}

static void ran(void *arg, uint32_t stream, const struct csg_frames *frames, uint64_t n)
{
	struct csg_calls *calls = arg;

	calls->client.ran(calls->client.arg, stream, frames, n);
}

static void mark(void *arg, uint32_t stream, const struct csg_element *element)
{
	struct csg_calls *calls = arg;

	calls->client.mark(calls->client.arg, stream, element);
}

static void used(void *arg, uint32_t stream, const struct csg_element *element)
{
	struct csg_calls *calls = arg;

	calls->client.used(calls->client.arg, stream, element);
}

static uint32_t await(void *arg, uint32_t stream, int32_t tid)
{
	struct csg_calls *calls = arg;

	for (size_t i = 0; i < calls->walk.n; i++)
		calls->times[i] = calls->walk.streams[i].over ? UINT64_MAX
							      : calls->walk.streams[i].batch.time;
	return csg_moves_await(&calls->moves, tid, stream, calls->times);
}

/* Learns from the host's records how threads moved. */
static int learn_moves(struct csg_calls *calls, const struct csg_lookup *lookup, size_t streams)
{
	int32_t *cpus = calloc(streams + 1, sizeof(*cpus));
	int err = -CSG_E_NO_MEMORY;

	calls->times = calloc(streams + 1, sizeof(*calls->times));
	if (cpus && calls->times) {
		for (size_t i = 0; lookup->streams && i < streams; i++)
			cpus[i] = lookup->streams[i].source->cpu;
		err = csg_moves_init(&calls->moves, lookup->streams ? lookup->residency : NULL,
				     cpus, streams);
	}
	free(cpus);
	return err;
}

int csg_calls_open(struct csg_calls *calls, const struct csg_lookup *lookup, size_t streams,
		   const struct csg_calls_client *client)
{
	const struct csg_stacks_client stacks = {
		.arg = calls,
		.owner = owner_of,
		.space = space_of,
		.function = function_at,
		.entered = client->entered ? entered : NULL,
		.leaving = client->leaving ? leaving : NULL,
		.switched = client->switched ? switched : NULL,
		.ran = client->ran ? ran : NULL,
		.mark = client->mark ? mark : NULL,
		.used = client->used ? used : NULL,
		.await = await,
	};
	int err;

	memset(calls, 0, sizeof(*calls));
	calls->lookup = *lookup;
	calls->client = *client;
	err = csg_functions_init(&calls->functions, &calls->lookup);
	if (!err)
		err = learn_moves(calls, lookup, streams);
	if (!err)
		err = csg_stacks_create(&calls->stacks, &stacks, streams);
	calls->walk.arg = client->arg;
	calls->walk.next = client->next;
	calls->walk.stacks = calls->stacks;
	calls->walk.n = streams;
	return err ? err : csg_walk_init(&calls->walk);
}

void csg_calls_close(struct csg_calls *calls)
{
	csg_walk_fini(&calls->walk);
	csg_stacks_destroy(calls->stacks);
	calls->stacks = NULL;
	csg_functions_fini(&calls->functions);
	csg_moves_fini(&calls->moves);
	free(calls->times);
	calls->times = NULL;
}

int csg_calls_next(struct csg_calls *calls)
{
	int ret = csg_walk_next(&calls->walk);

	return ret > 0 && calls->functions.no_memory ? -CSG_E_NO_MEMORY : ret;
}
