/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One call stack: what one thread has called and not yet returned from at one privilege, followed
 * from its branches alone.  No memory is read, no frame pointer is needed.
 *
 * What a branch does depends on what kind it is and on where it goes ("F": the function that
 * runs; "known": a symbol covers it):
 *
 *   ran              goes to                                  the stack
 *   BL, BLR          after itself                              stays (it only asks for the PC)
 *                    anywhere else                            CALL: a frame more
 *   RET              where the innermost frame returns to     RETURN: that frame is gone
 *                    where an outer frame returns to          UNWIND: all up to that are gone
 *                    the beginning of another function        TAIL_CALL
 *                    the inside of the function of an outer   UNWIND: that frame goes on
 *                    frame
 *                    anywhere, from the outermost frame whose RETURN: into a frame that is older
 *                    caller is not known                      than the recording
 *                    anywhere else, from an exception's frame  JUMP: a trampoline into the vectors
 *                    anywhere else                            CUT
 *   B, BR            inside F                                 stays
 *                    the beginning of another function        TAIL_CALL: it runs in the same frame
 *                    (BR) the inside of an outer frame's      UNWIND: longjmp, a landing pad
 *                    anywhere else (a function's cold part)   JUMP: runs in the same frame
 *   nothing          after the end of F                        JUMP: falls into what stands after
 *   exception        a vector of the same level               EXCEPTION: a frame more
 *   ERET             where the exception came from            ERET: all up to that exception gone
 *                    anywhere else (fixups, single steps)     ERET, then JUMP
 *                    anywhere, no exception is on the stack   ERET: into a frame older than the
 *                                                             recording
 *
 * "Where an outer frame returns to" and "outer frame's function" never reach beyond an exception: a
 * handler does not return into what it interrupted but by ERET.  What leaves the level (a
 * kernel's entry and return, a guest's entry and exit, a switch of threads) is stack/stack.h's.
 */
#ifndef DECODER_STACK_FRAMES_H
#define DECODER_STACK_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/stack.h"

/* A stack with what its clients do not see. */
struct csg_frames {
	struct csg_stack stack;
	size_t capacity; /* frames that its memory holds */
	uint64_t outer;	 /* where the return led that left what was outermost; 0: none did */
	uint32_t stream; /* that ran it last (stack/running.h) */
};

static inline struct csg_frames *csg_frames_own(const struct csg_stack *stack)
{
	return (struct csg_frames *)(uintptr_t)stack;
}

/* An empty stack of a task. */
void csg_frames_init(struct csg_frames *frames, struct csg_task *task);

/* What frames ask and tell. */
struct csg_frames_client {
	void *arg;
	/* The function that covers owner's address; start..end holds at least the address. */
	void (*function)(void *arg, uint32_t owner, uint64_t address,
			 struct csg_function *function);
	/* The innermost frame is new, or runs another function (TAIL_CALL, JUMP). */
	void (*entered)(void *arg, struct csg_stack *frames, enum csg_move why);
	/* The innermost frame is about to go, or to run another function. */
	void (*leaving)(void *arg, struct csg_stack *frames, enum csg_move why);
};

void csg_frames_fini(struct csg_frames *frames);

static inline struct csg_frame *csg_frames_top(const struct csg_stack *frames)
{
	return &frames->frame[frames->depth - 1];
}

/* All of these take where execution went to, and whose code that is.  0 or -CSG_E_NO_MEMORY. */
struct csg_arrival {
	const struct csg_frames_client *client;
	uint64_t address;
	uint32_t owner;
};

int csg_frames_call(struct csg_stack *frames, const struct csg_arrival *to, uint64_t ret);
int csg_frames_return(struct csg_stack *frames, const struct csg_arrival *to);
int csg_frames_jump(struct csg_stack *frames, const struct csg_arrival *to, bool indirect);
int csg_frames_exception(struct csg_stack *frames, const struct csg_arrival *to, uint64_t ret);
int csg_frames_eret(struct csg_stack *frames, const struct csg_arrival *to);

/* Empties the stack, telling of every frame, and begins it anew with one frame at to. */
int csg_frames_begin(struct csg_stack *frames, const struct csg_arrival *to, enum csg_bottom bottom,
		     enum csg_move why);

/* Takes frames off until depth are left. */
void csg_frames_leave(struct csg_stack *frames, const struct csg_frames_client *client,
		      uint32_t depth, enum csg_move why);

/* A frame more, of the kind CALL, EXCEPTION or SIGNAL. */
int csg_frames_push(struct csg_stack *frames, const struct csg_arrival *to, uint64_t ret,
		    enum csg_move kind);

/* The innermost frame goes on at an address; what runs there is looked up when it is another. */
void csg_frames_go_on(struct csg_stack *frames, const struct csg_arrival *to, enum csg_move why);

/*
 * How many frames are left when that one is gone which returns to address: the innermost of them,
 * of this kind; CALL and BEGIN reach no further than the next exception.  UINT32_MAX: there is
 * none.
 */
uint32_t csg_frames_find(const struct csg_stack *frames, uint64_t address, enum csg_move kind);

#endif
