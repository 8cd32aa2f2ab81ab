/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The call stacks of a recording: everything that stands between a session and one who observes
 * calls and returns (flame graphs, traces of functions, exits).
 */
#ifndef DECODER_VIEW_CALLS_H
#define DECODER_VIEW_CALLS_H

#include "session/session.h"
#include "stack/moves.h"
#include "stack/stack.h"
#include "stack/walk.h"
#include "view/functions.h"
#include "view/lookup.h"

/* Where elements come from, and what is told.  Each of the functions below next may be NULL. */
struct csg_calls_client {
	void *arg;
	/* csg_session_pull_of() */
	int (*next)(void *arg, uint32_t stream, struct csg_batch *batch);
	void (*entered)(void *arg, struct csg_frames *frames, enum csg_move why);
	void (*leaving)(void *arg, struct csg_frames *frames, enum csg_move why);
	void (*switched)(void *arg, const struct csg_stack_switch *what);
	void (*ran)(void *arg, uint32_t stream, const struct csg_frames *frames, uint64_t n);
	void (*mark)(void *arg, uint32_t stream, const struct csg_element *element);
	void (*used)(void *arg, uint32_t stream, const struct csg_element *element);
};

struct csg_calls {
	struct csg_lookup lookup;
	struct csg_functions functions;
	struct csg_stacks *stacks;
	struct csg_walk walk;
	struct csg_calls_client client;
	struct csg_moves moves;
	uint64_t *times; /* of the streams */
};

/* lookup is copied.  0 or -CSG_E_NO_MEMORY; csg_calls_close() is safe even then. */
int csg_calls_open(struct csg_calls *calls, const struct csg_lookup *lookup, size_t streams,
		   const struct csg_calls_client *client);
void csg_calls_close(struct csg_calls *calls);

/* Follows some more.  1, 0 at the end, or a negative error. */
int csg_calls_next(struct csg_calls *calls);

#endif
