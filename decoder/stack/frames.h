/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One call stack: what one thread has called and not yet returned from at one privilege, followed
 * from its branches alone.  No memory is read, no frame pointer is needed.
 *
 * What a branch does depends on what kind it is and on where it goes ("F": the function that
 * runs; "known": a symbol covers it):
 *
 *   ran              goes to                                  the stack
 *   BL, BLR          behind itself                            stays (it only asks for the PC)
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
 *   nothing          behind the end of F                      JUMP: falls into what stands behind
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

/* Why a stack changed.  X(name, text) */
#define CSG_MOVES(X)                                                                               \
	X(CALL, "call")		    /* BL, BLR */                                                  \
	X(RETURN, "return")	    /* RET to the caller */                                        \
	X(TAIL_CALL, "tail call")   /* another function in the same frame; PLT stubs, too */       \
	X(JUMP, "jump")		    /* another part of the same function, or what stands behind */ \
	X(UNWIND, "unwind")	    /* several frames at once: longjmp, an exception of C++ */     \
	X(EXCEPTION, "exception")   /* taken to the same or a higher level */                      \
	X(ERET, "exception return") /* to the same or a lower level */                             \
	X(SIGNAL, "signal")	    /* the kernel returned to a handler */                         \
	X(BEGIN, "begin")	    /* first seen; what called it is not known */                  \
	X(CUT, "discontinuity")	    /* trace was lost, or contradicts the stack */

enum csg_move {
#define CSG_MOVE_ENUM(name, text) CSG_MOVE_##name,
	CSG_MOVES(CSG_MOVE_ENUM) CSG_MOVE_COUNT
#undef CSG_MOVE_ENUM
};
const char *csg_move_name(enum csg_move move);

/* What is below the outermost frame.  X(name, text) */
#define CSG_BOTTOMS(X)                                                                             \
	X(OLDER, "older than the recording") /* it was called before the trace begins */           \
	X(WHOLE, "whole")		  /* nothing: the kernel was entered there, a thread    \
						began */  \
	X(GAP, "trace lost")		  /* a gap of the trace: see gap */                        \
	X(MISMATCH, "returned elsewhere") /* a return that no frame expects */                     \
	X(ELSEWHERE, "resumed elsewhere") /* went on where it had not been left */                 \
	X(THREAD, "thread not known")	  /* another thread runs; nothing says which */            \
	X(ORDER, "ran on two CPUs")	  /* another CPU's trace has it still running */           \
	X(DEPTH, "too deep")		  /* deeper than CSG_FRAMES_MAX: the outer half is gone */

enum csg_bottom {
#define CSG_BOTTOM_ENUM(name, text) CSG_BOTTOM_##name,
	CSG_BOTTOMS(CSG_BOTTOM_ENUM) CSG_BOTTOM_COUNT
#undef CSG_BOTTOM_ENUM
};
const char *csg_bottom_name(enum csg_bottom bottom);

/* What covers an address. */
struct csg_function {
	uint64_t start, end; /* where asking again would give the same */
	uint32_t label;	     /* number of what it is called, for the client */
	bool known;	     /* a symbol covers it; start..end is that symbol's */
	bool switches; /* the kernel's function that switches threads: it returns in another */
	bool begins;   /* where programs and threads begin */
};

#define CSG_FRAMES_MAX 1024

struct csg_frame {
	uint64_t ret;		      /* where it returns to; 0: not known */
	uint64_t entry;		      /* where it was entered */
	struct csg_function function; /* that runs in it now */
	uint32_t owner;		      /* who entered it */
	uint32_t note;		      /* the observer's own; 0 in a new frame */
	uint8_t kind;		      /* enum csg_move: CALL, EXCEPTION, SIGNAL, or BEGIN */
};

struct csg_frames {
	struct csg_frame *frame; /* [0] is the outermost */
	uint32_t depth, room;
	uint8_t bottom; /* enum csg_bottom */
	uint8_t gap;	/* GAP: enum csg_gap */
	bool in_guest; /* a hypervisor's, or VHE kernel's: parked while the guest it entered runs */
	bool running;  /* on a CPU now */
	uint64_t at;   /* where it has to go on; 0: not known, or it runs */
	uint64_t left; /* address of what it executed last, or at */
	uint64_t outer; /* where the return led that left what was outermost; 0: none did */
	void *home;	/* stack/stack.h: the task it belongs to */
};

/* What frames ask and tell. */
struct csg_frames_client {
	void *arg;
	/* The function that covers owner's address; start..end holds at least the address. */
	void (*function)(void *arg, uint32_t owner, uint64_t address,
			 struct csg_function *function);
	/* The innermost frame is new, or runs another function (TAIL_CALL, JUMP). */
	void (*entered)(void *arg, struct csg_frames *frames, enum csg_move why);
	/* The innermost frame is about to go, or to run another function. */
	void (*leaving)(void *arg, struct csg_frames *frames, enum csg_move why);
};

void csg_frames_fini(struct csg_frames *frames);

static inline struct csg_frame *csg_frames_top(const struct csg_frames *frames)
{
	return &frames->frame[frames->depth - 1];
}

/* All of these take where execution went to, and whose code that is.  0 or -CSG_E_NO_MEMORY. */
struct csg_arrival {
	const struct csg_frames_client *client;
	uint64_t address;
	uint32_t owner;
};

int csg_frames_call(struct csg_frames *frames, const struct csg_arrival *to, uint64_t ret);
int csg_frames_return(struct csg_frames *frames, const struct csg_arrival *to);
int csg_frames_jump(struct csg_frames *frames, const struct csg_arrival *to, bool indirect);
int csg_frames_exception(struct csg_frames *frames, const struct csg_arrival *to, uint64_t ret);
int csg_frames_eret(struct csg_frames *frames, const struct csg_arrival *to);

/* Empties the stack, telling of every frame, and begins it anew with one frame at to. */
int csg_frames_begin(struct csg_frames *frames, const struct csg_arrival *to,
		     enum csg_bottom bottom, enum csg_move why);

/* Takes frames off until depth are left. */
void csg_frames_leave(struct csg_frames *frames, const struct csg_frames_client *client,
		      uint32_t depth, enum csg_move why);

/* A frame more, of the kind CALL, EXCEPTION or SIGNAL. */
int csg_frames_push(struct csg_frames *frames, const struct csg_arrival *to, uint64_t ret,
		    enum csg_move kind);

/* The innermost frame goes on at an address; what runs there is looked up when it is another. */
void csg_frames_go_on(struct csg_frames *frames, const struct csg_arrival *to, enum csg_move why);

/*
 * How many frames are left when that one is gone which returns to address: the innermost of them, of
 * this kind; CALL and BEGIN reach no further than the next exception.  UINT32_MAX: there is none.
 */
uint32_t csg_frames_find(const struct csg_frames *frames, uint64_t address, enum csg_move kind);

#endif
