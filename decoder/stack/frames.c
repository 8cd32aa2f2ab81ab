/* SPDX-License-Identifier: BSD-3-Clause */
#include "stack/frames.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"

#define NONE UINT32_MAX

const char *csg_move_name(enum csg_move move)
{
	static const char *const names[] = {
#define NAME(name, text) text,
		CSG_MOVES(NAME)
#undef NAME
	};

	return move < CSG_MOVE_COUNT ? names[move] : "?";
}

const char *csg_bottom_name(enum csg_bottom bottom)
{
	static const char *const names[] = {
#define NAME(name, text) text,
		CSG_BOTTOMS(NAME)
#undef NAME
	};

	return bottom < CSG_BOTTOM_COUNT ? names[bottom] : "?";
}

void csg_frames_init(struct csg_frames *frames, struct csg_task *task)
{
	*frames = (struct csg_frames){
		.stack.size = sizeof(frames->stack),
		.stack.frame_size = sizeof(struct csg_frame),
		.stack.task = task,
	};
}

void csg_frames_fini(struct csg_frames *frames)
{
	free(frames->stack.frame);
	frames->stack.frame = NULL;
	frames->stack.depth = 0;
	frames->capacity = 0;
}

static bool covers(const struct csg_function *function, uint64_t address)
{
	return address >= function->start && address < function->end;
}

void csg_frames_leave(struct csg_stack *frames, const struct csg_frames_client *client,
		      uint32_t depth, enum csg_move why)
{
	while (frames->depth > depth) {
		client->leaving(client->arg, frames, why);
		frames->depth--;
	}
}

/* Makes room for a frame more.  The outer half of a stack that is too deep is given up. */
static int make_room(struct csg_stack *frames)
{
	struct csg_frames *own = csg_frames_own(frames);

	if (frames->depth < own->capacity)
		return 0;
	if (frames->depth >= CSG_FRAMES_MAX) {
		uint32_t half = frames->depth / 2;

		memmove(frames->frame, frames->frame + half,
			(frames->depth - half) * sizeof(*frames->frame));
		frames->depth -= half;
		frames->bottom = CSG_BOTTOM_DEPTH;
		return 0;
	}
	return csg_array_grow((void **)&frames->frame, frames->depth, &own->capacity,
			      sizeof(*frames->frame));
}

int csg_frames_push(struct csg_stack *frames, const struct csg_arrival *to, uint64_t ret,
		    enum csg_move kind)
{
	int err = make_room(frames);
	struct csg_frame *frame;

	if (err)
		return err;
	frame = &frames->frame[frames->depth++];
	*frame = (struct csg_frame){
		.ret = ret,
		.entry = to->address,
		.owner = to->owner,
		.kind = (uint8_t)kind,
	};
	to->client->function(to->client->arg, to->owner, to->address, &frame->function);
	to->client->entered(to->client->arg, frames, kind);
	return 0;
}

int csg_frames_begin(struct csg_stack *frames, const struct csg_arrival *to, enum csg_bottom bottom,
		     enum csg_move why)
{
	csg_frames_leave(frames, to->client, 0, why);
	frames->bottom = (uint8_t)bottom;
	csg_frames_own(frames)->outer = 0;
	return csg_frames_push(frames, to, 0, CSG_MOVE_BEGIN);
}

/* Another function runs in the innermost frame. */
static void replace(struct csg_stack *frames, const struct csg_arrival *to,
		    const struct csg_function *function, enum csg_move why)
{
	struct csg_frame *top = csg_frames_top(frames);

	to->client->leaving(to->client->arg, frames, why);
	top->function = *function;
	if (why == CSG_MOVE_TAIL_CALL) {
		top->entry = to->address;
		top->owner = to->owner;
	}
	to->client->entered(to->client->arg, frames, why);
}

void csg_frames_go_on(struct csg_stack *frames, const struct csg_arrival *to, enum csg_move why)
{
	struct csg_frame *top = csg_frames_top(frames);
	struct csg_function function;

	if (covers(&top->function, to->address))
		return;
	to->client->function(to->client->arg, to->owner, to->address, &function);
	if (!function.known && !top->function.known && function.label == top->function.label)
		top->function = function; /* neither has a name: they read the same */
	else
		replace(frames, to, &function, why);
}

uint32_t csg_frames_find(const struct csg_stack *frames, uint64_t address, enum csg_move kind)
{
	for (uint32_t i = frames->depth; i-- > 0;) {
		const struct csg_frame *frame = &frames->frame[i];

		if (frame->ret == address && frame->kind == kind && address)
			return i;
		if (frame->kind == CSG_MOVE_EXCEPTION && kind == CSG_MOVE_CALL)
			break;
	}
	return NONE;
}

/* The innermost frame but the top whose function covers address; NONE: there is none. */
static uint32_t find_function(const struct csg_stack *frames, uint64_t address)
{
	for (uint32_t i = frames->depth; i-- > 0;) {
		const struct csg_frame *frame = &frames->frame[i];

		if (i + 1 < frames->depth && frame->function.known &&
		    covers(&frame->function, address))
			return i;
		if (frame->kind == CSG_MOVE_EXCEPTION)
			break;
	}
	return NONE;
}

int csg_frames_call(struct csg_stack *frames, const struct csg_arrival *to, uint64_t ret)
{
	if (ret == to->address) {
		csg_frames_go_on(frames, to, CSG_MOVE_JUMP);
		return 0;
	}
	return csg_frames_push(frames, to, ret, CSG_MOVE_CALL);
}

/*
 * A branch to an address that no frame expects: a tail call, or the inside of an outer frame's
 * function.  False: neither; nothing is changed.
 */
static bool stray(struct csg_stack *frames, const struct csg_arrival *to,
		  struct csg_function *function)
{
	uint32_t outer;

	to->client->function(to->client->arg, to->owner, to->address, function);
	if (function->known && function->start == to->address) {
		replace(frames, to, function, CSG_MOVE_TAIL_CALL);
		return true;
	}
	outer = find_function(frames, to->address);
	if (outer == NONE)
		return false;
	csg_frames_leave(frames, to->client, outer + 1, CSG_MOVE_UNWIND);
	return true;
}

/*
 * A RET of an exception's frame has nobody to return to: it is the jump of a trampoline into the
 * kernel's vectors (arch/arm64/kernel/entry.S: tramp_ventry).  A BL inside of it was no call.
 */
static bool jump_of_exception(struct csg_stack *frames, const struct csg_arrival *to)
{
	uint32_t depth = frames->depth;

	while (depth > 1 && frames->frame[depth - 1].kind == CSG_MOVE_CALL &&
	       frames->frame[depth - 1].entry != frames->frame[depth - 1].function.start &&
	       frames->frame[depth - 1].function.start == frames->frame[depth - 2].function.start)
		depth--;
	if (frames->frame[depth - 1].kind != CSG_MOVE_EXCEPTION)
		return false;
	csg_frames_leave(frames, to->client, depth, CSG_MOVE_JUMP);
	csg_frames_go_on(frames, to, CSG_MOVE_JUMP);
	return true;
}

/* A return from the outermost frame, into one of which nothing was known. */
static int leave_outermost(struct csg_stack *frames, const struct csg_arrival *to,
			   enum csg_bottom bottom)
{
	int err = csg_frames_begin(frames, to, bottom, CSG_MOVE_RETURN);

	csg_frames_own(frames)->outer = to->address;
	return err;
}

int csg_frames_return(struct csg_stack *frames, const struct csg_arrival *to)
{
	const struct csg_frame *top = csg_frames_top(frames);
	enum csg_bottom bottom = (enum csg_bottom)frames->bottom;
	struct csg_function function;
	uint32_t outer;

	if (top->ret == to->address && top->kind == CSG_MOVE_CALL && frames->depth > 1) {
		to->client->leaving(to->client->arg, frames, CSG_MOVE_RETURN);
		frames->depth--;
		if (!covers(&csg_frames_top(frames)->function, to->address))
			csg_frames_go_on(frames, to, CSG_MOVE_JUMP);
		return 0;
	}
	/* The outermost frame is a call's where the caller was too deep: nothing is left to return
	 * to. */
	outer = csg_frames_find(frames, to->address, CSG_MOVE_CALL);
	if (!outer)
		return leave_outermost(frames, to, bottom);
	if (outer != NONE) {
		csg_frames_leave(frames, to->client, outer, CSG_MOVE_UNWIND);
		csg_frames_go_on(frames, to, CSG_MOVE_JUMP);
		return 0;
	}
	if (stray(frames, to, &function))
		return 0;
	if (jump_of_exception(frames, to))
		return 0;
	if (frames->depth == 1 && bottom != CSG_BOTTOM_WHOLE)
		return leave_outermost(frames, to, bottom);
	return csg_frames_begin(frames, to, CSG_BOTTOM_MISMATCH, CSG_MOVE_CUT);
}

int csg_frames_jump(struct csg_stack *frames, const struct csg_arrival *to, bool indirect)
{
	const struct csg_frame *top = csg_frames_top(frames);
	struct csg_function function;

	if (covers(&top->function, to->address))
		return 0;
	if (indirect) {
		if (!stray(frames, to, &function))
			replace(frames, to, &function, CSG_MOVE_JUMP);
		return 0;
	}
	to->client->function(to->client->arg, to->owner, to->address, &function);
	if (!function.known && !top->function.known && function.label == top->function.label)
		csg_frames_top(frames)->function = function;
	else
		replace(frames, to, &function,
			function.known && function.start == to->address ? CSG_MOVE_TAIL_CALL
									: CSG_MOVE_JUMP);
	return 0;
}

int csg_frames_exception(struct csg_stack *frames, const struct csg_arrival *to, uint64_t ret)
{
	return csg_frames_push(frames, to, ret, CSG_MOVE_EXCEPTION);
}

/* How many frames are outside of the innermost exception; NONE: no exception is on the stack. */
static uint32_t innermost_exception(const struct csg_stack *frames)
{
	for (uint32_t i = frames->depth; i-- > 0;)
		if (frames->frame[i].kind == CSG_MOVE_EXCEPTION && i)
			return i;
	return NONE;
}

int csg_frames_eret(struct csg_stack *frames, const struct csg_arrival *to)
{
	uint32_t depth = csg_frames_find(frames, to->address, CSG_MOVE_EXCEPTION);

	if (depth == NONE || !depth)
		depth = innermost_exception(frames);
	if (depth == NONE)
		return csg_frames_begin(frames, to,
					frames->bottom == CSG_BOTTOM_WHOLE ? CSG_BOTTOM_MISMATCH
									   : frames->bottom,
					CSG_MOVE_ERET);
	csg_frames_leave(frames, to->client, depth, CSG_MOVE_ERET);
	csg_frames_go_on(frames, to, CSG_MOVE_JUMP);
	return 0;
}
