/* SPDX-License-Identifier: BSD-3-Clause */
#include "stack/follower.h"

#include <stdlib.h>

#include "csguest/error.h"
#include "recording/recording.h"
#include "session/session.h"
#include "session/session_pull.h"

static const struct csg_owner *owner_of(void *arg, uint32_t owner)
{
	const struct csg_follower *f = arg;

	return f->source.owner(f->source.arg, owner);
}

static const void *space_of(void *arg, uint32_t owner)
{
	const struct csg_follower *f = arg;

	return f->source.space(f->source.arg, owner);
}

static void function_at(void *arg, const void *space, uint64_t address, uint64_t when,
			struct csg_function *function, uint64_t *until)
{
	struct csg_follower *f = arg;

	csg_functions_find(&f->functions, space, address, when, function, until);
}

static uint32_t await(void *arg, uint32_t stream, int32_t tid)
{
	struct csg_follower *f = arg;

	return csg_moves_await(&f->moves, tid, stream, f->walk.times);
}

static int next_batch(void *arg, uint32_t stream, struct csg_batch *batch)
{
	struct csg_follower *f = arg;
	int ret;

	if (f->next)
		ret = f->next(f->arg, stream, batch, sizeof(*batch));
	else
		ret = csg_session_settle_on(f->session, CSG_PULL_STREAM)
			      ? csg_session_pull_of(f->session, stream, batch)
			      : -CSG_E_USAGE;

	if (ret > 0 && batch->n && batch->element_size != sizeof(struct csg_element))
		return -CSG_E_USAGE;
	return ret;
}

static int init_moves(struct csg_follower *f)
{
	struct csg_recording *rec = f->session ? csg_session_recording(f->session) : NULL;
	const char *dir = rec ? csg_recording_memory(rec)->dir : NULL;
	int err = csg_moves_init(&f->moves, &f->source, dir);

	return rec ? csg_recording_tell_disk(rec, &f->moves.memory, "on-CPU intervals", err) : err;
}

static int begin(struct csg_follower *f, const struct csg_follower_options *options)
{
	const struct csg_stacks_client client = {
		.arg = f,
		.owner = owner_of,
		.space = space_of,
		.function = function_at,
		.await = await,
		.to = options->arg,
		.entered = options->entered,
		.leaving = options->leaving,
		.switched = options->switched,
		.ran = options->ran,
		.mark = options->mark,
		.used = options->used,
	};
	int err = csg_functions_init(&f->functions, &f->source);

	f->walk.arg = f;
	f->walk.next = next_batch;
	f->walk.n = f->source.streams;
	if (!err)
		err = init_moves(f);
	if (!err)
		err = csg_stacks_create(&f->stacks, &client, f->walk.n);
	f->walk.stacks = f->stacks;
	return err ? err : csg_walk_init(&f->walk);
}

int csg_follower_begin(struct csg_follower **follower, const struct csg_follower_source *source,
		       const struct csg_follower_options *options, struct csg_session *session)
{
	struct csg_follower *f = calloc(1, sizeof(*f));
	int err = -CSG_E_NO_MEMORY;

	if (f) {
		f->source = *source;
		f->arg = options->arg;
		f->next = options->next;
		f->session = session;
		err = begin(f, options);
	}
	if (err) {
		csg_follower_destroy(f);
		f = NULL;
	}
	*follower = f;
	return err;
}

void csg_follower_destroy(struct csg_follower *follower)
{
	if (!follower)
		return;
	csg_walk_fini(&follower->walk);
	csg_stacks_destroy(follower->stacks);
	csg_functions_fini(&follower->functions);
	csg_moves_fini(&follower->moves);
	free(follower);
}

int csg_follower_next(struct csg_follower *follower)
{
	int ret;

	if (!follower)
		return -CSG_E_USAGE;
	if (follower->error)
		return follower->error;
	ret = csg_walk_next(&follower->walk);
	if (ret > 0 && follower->functions.no_memory)
		ret = -CSG_E_NO_MEMORY;
	if (ret < 0)
		follower->error = ret;
	return ret;
}
