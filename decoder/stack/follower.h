/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The call stacks of a recording, as csguest/stack.h has them: everything that stands between the
 * elements and a client that observes calls and returns.
 */
#ifndef DECODER_STACK_FOLLOWER_H
#define DECODER_STACK_FOLLOWER_H

#include "csguest/stack.h"
#include "stack/functions.h"
#include "stack/moves.h"
#include "stack/stack.h"
#include "stack/walk.h"

struct csg_follower {
	struct csg_follower_source source;
	struct csg_functions functions;
	struct csg_stacks *stacks;
	struct csg_walk walk;
	struct csg_moves moves;
	int error;	 /* that ended it */
	void *arg;
	int (*next)(void *arg, uint32_t stream, struct csg_batch *batch, size_t size); /* or NULL */
	struct csg_session *session; /* is pulled where next is NULL */
};

/* Of source every function but interval is given; without options->next session is pulled. */
int csg_follower_begin(struct csg_follower **follower, const struct csg_follower_source *source,
		       const struct csg_follower_options *options, struct csg_session *session);

#endif
