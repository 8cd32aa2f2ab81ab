/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the parts of stack/stack.h share: per stream who runs, on which stack, and how what ran last
 * ended.  That ending is the state of the machine: elements say how a range of instructions ended
 * (stack/stack.c sets csg_stack_cpu.pending), and only the next address, with its owner, tells what
 * became of the stacks (stack/arrive.h).
 */
#ifndef DECODER_STACK_STATE_H
#define DECODER_STACK_STATE_H

#include "stack/client.h"
#include "stack/function_cache.h"
#include "stack/tasks.h"

/* Besides 0 and errors: the stack is another stream's, nothing was changed. */
#define CSG_STACKS_BLOCKED 1

/* How what ran before ended.  Those before CALL leave it to the next address what runs. */
enum csg_pending {
	CSG_PENDING_NOTHING, /* it goes on after it */
	CSG_PENDING_JUMP,
	CSG_PENDING_INDIRECT,
	CSG_PENDING_CALL,
	CSG_PENDING_RETURN,
	CSG_PENDING_SWITCH, /* the return of the function that switches threads */
	CSG_PENDING_EXCEPTION,
	CSG_PENDING_ERET,
	CSG_PENDING_GAP,
	CSG_PENDING_NO_CODE, /* runs in code that is not there */
};

struct csg_stack_cpu {
	struct csg_stack *now;
	struct csg_owner owner; /* who ran last, and its number */
	uint32_t number;
	uint8_t pending; /* enum csg_pending */
	uint8_t gap;	 /* GAP, NO_CODE: enum csg_gap */
	bool hidden;	 /* GAP: an exception led there, where nothing is traced */
	bool eret;	 /* EXCEPTION: it was taken where an ERET led, which is pending as well */
	uint32_t exception;
	uint64_t ret;  /* CALL, EXCEPTION: return address; 0: not known */
	uint64_t last; /* address of the last instruction */
	uint64_t ran;  /* instructions of the innermost frame that the client did not get */
	uint32_t awaits;
};

struct csg_stacks {
	struct csg_stacks_client client;
	struct csg_frames_client frames; /* counts, then tells the client */
	struct csg_function_cache functions;
	struct csg_tasks tasks;
	struct csg_follower_counts counts;
	const void *space; /* that was asked for last, and whose it is */
	uint32_t space_owner;
	uint64_t when;
	bool force;
	size_t n;
	struct csg_stack_cpu cpus[];
};

static inline const struct csg_owner *csg_stacks_who(const struct csg_stacks *s, uint32_t owner)
{
	return s->client.owner(s->client.arg, owner);
}

static inline bool csg_owner_is_user(const struct csg_owner *owner)
{
	return owner->privilege == CSG_USER;
}

/* Guests' code, or that of somebody who may be one. */
static inline bool csg_owner_is_inside(const struct csg_owner *owner)
{
	return owner->world == CSG_WORLD_GUEST || owner->world == CSG_WORLD_UNKNOWN;
}

/* Both run in one host, or on one vCPU of one guest. */
static inline bool csg_owner_same_machine(const struct csg_owner *a, const struct csg_owner *b)
{
	if (a->world != b->world)
		return false;
	return a->world != CSG_WORLD_GUEST || (a->vm == b->vm && a->host_tid == b->host_tid);
}

static inline struct csg_stack *csg_task_frames(struct csg_task *task, const struct csg_owner *o)
{
	return csg_owner_is_user(o) ? task->user : task->kernel;
}

#endif
