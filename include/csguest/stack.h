/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Call stacks, followed through all streams of a recording from its branches alone: no memory is
 * read, no frame pointer is needed.
 *
 *	static void entered(void *arg, struct csg_stack *stack, enum csg_move why)
 *	{
 *		... csg_stack_top(stack)->function.label was called
 *	}
 *
 *	const struct csg_follower_options options = {.size = sizeof(options), .entered = entered};
 *	struct csg_follower *follower;
 *	int ret = csg_follower_create(&follower, session, &options);
 *
 *	while (!ret && (ret = csg_follower_next(follower)) > 0)
 *		ret = 0;
 *	csg_follower_destroy(follower);
 *
 * Stacks.  Every thread of every machine (a guest's vCPU, where its threads are not known) has two
 * stacks, one of its kernel and one of its user code; a hypervisor and the firmware have one for
 * each CPU.  A kernel's stack hangs under the user stack that entered it, a guest's under the
 * stack of the host's thread that runs its vCPU (csg_stack_under()).
 *
 * Order.  A follower pulls all streams of a session by time.  Where a thread moves from one CPU to
 * another it first follows the CPU that the thread leaves.
 *
 * Losses.  What was called before the recording begins, and what trace that was lost would have
 * shown, is not known: csg_stack.bottom says why there are no more frames.  A stack that
 * contradicts its trace begins anew; that is no error.
 *
 * Structs.  The follower owns all structs that it hands out, and hands out pointers only.  They
 * are read-only but for the members `note` and `data`, which are the client's own.  They grow at
 * their end: size, or csg_stack.frame_size, says how much of them there is.
 *
 * Threads.  A follower and its session are used by the thread that pulls (csguest/session.h).
 * Callbacks run within csg_follower_next(), and may call everything but csg_follower_next() and
 * csg_follower_destroy() of the same follower.
 */
#ifndef CSGUEST_STACK_H
#define CSGUEST_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/element.h"
#include "csguest/machine.h"
#include "csguest/owner.h"
#include "csguest/session.h"
#include "csguest/symbol.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Why a stack changed.  X(name, text) */
#define CSG_MOVES(X)                                                                               \
	X(CALL, "call")		    /* BL, BLR */                                                  \
	X(RETURN, "return")	    /* RET to the caller */                                        \
	X(TAIL_CALL, "tail call")   /* another function in the same frame; PLT stubs, too */       \
	X(JUMP, "jump")		    /* another part of the same function, or the code after it */  \
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

/* What is below the outermost frame.  X(name, text) */
#define CSG_BOTTOMS(X)                                                                             \
	X(OLDER, "older than the recording") /* it was called before the trace begins */           \
	X(WHOLE, "whole")		  /* nothing: the kernel was entered there, a thread    \
						began */  \
	X(GAP, "trace lost")		  /* a gap of the trace: csg_stack.gap */                  \
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

/* Their names, as in the lists above; "?" for a number out of range. */
const char *csg_move_name(enum csg_move move);
const char *csg_bottom_name(enum csg_bottom bottom);

/* --- stacks --- */

/* The code that runs in a frame: a symbol's, or a piece without a symbol.  Does not grow. */
struct csg_function {
	uint64_t start, end; /* known: the symbol's; else addresses without a symbol */
	uint32_t label;	     /* number of the function: csg_follower_function() */
	bool known;	     /* a symbol covers it */
	bool switches; /* the kernel's function that switches threads: it returns in another */
	bool begins;   /* where programs and threads begin */
};

/* Most frames of a stack. */
#define CSG_FRAMES_MAX 1024

struct csg_frame {
	uint64_t ret;		      /* return address; 0: not known */
	uint64_t entry;		      /* address at which it was entered */
	struct csg_function function; /* that runs in it now */
	uint32_t owner;		      /* who entered it */
	uint32_t note;		      /* the client's own; 0 in a new frame */
	uint8_t kind;		      /* enum csg_move: CALL, EXCEPTION, SIGNAL, or BEGIN */
};

struct csg_task;

/* What one thread has called and not yet returned from at one privilege. */
struct csg_stack {
	size_t size;
	struct csg_frame *frame; /* [0] is the outermost; see csg_stack_frame() */
	uint32_t frame_size;	 /* bytes from one frame to the next */
	uint32_t depth;		 /* how many frames there are */
	uint8_t bottom;		 /* enum csg_bottom */
	uint8_t gap;		 /* GAP: enum csg_gap */
	bool in_guest; /* a hypervisor's, or VHE kernel's, while the guest that it entered runs */
	bool running;  /* on a CPU now */
	uint64_t at;   /* where it has to go on; 0: not known, or it runs */
	uint64_t left; /* address of what it executed last, or at */
	struct csg_task *task; /* whose stack it is */
	void *data;	       /* the client's own; NULL in a new stack */
};

/* What tasks are distinguished by.  Does not grow. */
struct csg_task_key {
	int32_t world; /* enum csg_world */
	int32_t vm;
	int32_t tid;   /* -1: not known */
	int32_t place; /* tid 0 or -1: what it runs on, the host's thread or below -1; else 0 */
	/* Of a guest of a guest: the guest's thread that runs it, csg_owner.guest_tid; else 0. */
	int32_t guest_tid;
};

/* A thread with its stacks, as long as the follower. */
struct csg_task {
	size_t size;
	struct csg_task_key key;
	uint32_t owner;		  /* who was last seen running it */
	int32_t stream;		  /* on which it was last seen */
	struct csg_stack *kernel; /* never NULL; depth 0: nothing is known of it */
	struct csg_stack *user;
	struct csg_task *host; /* a guest's: the host's thread of its vCPU, where it ran last */
};

/* The frame with this number, 0 the outermost; number must be below depth. */
static inline struct csg_frame *csg_stack_frame(const struct csg_stack *stack, uint32_t number)
{
	return (struct csg_frame *)(void *)((char *)stack->frame +
					    (size_t)number * stack->frame_size);
}

/* The innermost frame of a stack that has one. */
static inline struct csg_frame *csg_stack_top(const struct csg_stack *stack)
{
	return csg_stack_frame(stack, stack->depth - 1);
}

/*
 * What a stack hangs under: a kernel's under its thread's user stack; with joined a guest's also
 * under the kernel stack of its vCPU's thread of the host.  NULL: nothing, or stack is NULL.
 */
struct csg_stack *csg_stack_under(const struct csg_stack *stack, bool joined);

/* Another stack runs on a stream. */
struct csg_stack_switch {
	size_t size;
	uint32_t stream;
	enum csg_move why; /* EXCEPTION, ERET, RETURN (threads were switched), BEGIN, CUT */
	struct csg_stack *from, *to; /* from NULL: nothing ran before */
	uint32_t from_owner, to_owner;
	uint64_t left;	  /* EXCEPTION: its return address; 0: not known */
	uint64_t address; /* where it goes on */
	uint32_t number;  /* EXCEPTION: its number, as ETMv4 has them */
	bool hidden;  /* CUT: the exception with this number led to a level that is not traced */
	bool crossed; /* a guest was entered or left */
};

/* --- the follower --- */

struct csg_follower;

/*
 * What a follower asks, for a client that follows elements of its own: all but interval, which may
 * be NULL, have to be given.
 */
struct csg_follower_source {
	size_t size;
	void *arg;	/* first argument of all functions */
	size_t streams; /* how many there are */
	/* As csg_session_owner() and csg_session_space(). */
	const struct csg_owner *(*owner)(void *arg, uint32_t owner);
	struct csg_space *(*space)(void *arg, uint32_t owner);
	/* As csg_symbol_find() and csg_code_read(), of which only *until is used. */
	int (*symbol)(void *arg, struct csg_space *space, uint64_t address, uint64_t time,
		      struct csg_symbol *symbol, size_t size);
	int (*code)(void *arg, struct csg_space *space, uint64_t address, uint64_t time,
		    const uint8_t **bytes, size_t *len, uint64_t *until);
	/*
	 * As csg_interval_at(), of the CPU that this stream traces: who was on it when.  An error
	 * ends the list.
	 */
	int (*interval)(void *arg, uint32_t stream, size_t index, struct csg_interval *interval,
			size_t size);
};

/* Each function may be NULL. */
struct csg_follower_options {
	size_t size;
	void *arg; /* first argument of all functions here */
	/*
	 * As csg_session_next_of(), which is called where next is NULL: for a client that looks
	 * at all batches, or changes them.  A batch has to stay valid until the next one of the
	 * same stream is asked for.
	 */
	int (*next)(void *arg, uint32_t stream, struct csg_batch *batch, size_t size);
	/* The innermost frame is new, or runs another function (TAIL_CALL, JUMP). */
	void (*entered)(void *arg, struct csg_stack *stack, enum csg_move why);
	/* The innermost frame is about to go, or to run another function. */
	void (*leaving)(void *arg, struct csg_stack *stack, enum csg_move why);
	/* Another stack runs; csg_stack_switch.to may have no frame yet. */
	void (*switched)(void *arg, const struct csg_stack_switch *what);
	/*
	 * The innermost frame of the stack that runs on this stream has executed n instructions:
	 * called before any other function here is called for the stream, but for next.
	 */
	void (*ran)(void *arg, uint32_t stream, struct csg_stack *stack, uint64_t n);
	/* A TIMESTAMP, CYCLES, INSTRUMENTATION or GAP element comes. */
	void (*mark)(void *arg, uint32_t stream, const struct csg_element *element);
	/* An element of any kind was used: the stacks are as it left them. */
	void (*used)(void *arg, uint32_t stream, const struct csg_element *element);
	const struct csg_follower_source *source; /* NULL: the session; copied */
};

/*
 * Begins to follow the stacks of a session of which nothing was pulled; from then on only the
 * follower (or options->next) pulls it, and it has to outlive the follower.  options may be NULL,
 * and are copied; session may be NULL where source and next are given.
 *
 * On failure *follower is NULL: -CSG_E_NO_MEMORY, or -CSG_E_USAGE, also for a session that leaves
 * out calls and returns: one with CSG_SESSION_COUNTS or CSG_SESSION_NO_CODE, or with a filter by
 * time or owner.  What is wanted of them, the client chooses in its callbacks.
 */
int csg_follower_create(struct csg_follower **follower, struct csg_session *session,
			const struct csg_follower_options *options);

/* NULL is allowed. */
void csg_follower_destroy(struct csg_follower *follower);

/*
 * Follows a part of one stream, at most a batch.  Returns 1, 0 at the end of all streams, or a
 * negative error that ends the follower: what next returned, -CSG_E_NO_MEMORY, -CSG_E_USAGE.
 */
int csg_follower_next(struct csg_follower *follower);

/* The stack that runs on a stream now, in a callback perhaps without a frame; NULL: none so far. */
struct csg_stack *csg_follower_now(const struct csg_follower *follower, uint32_t stream);

/* The owner of the instructions for which csg_follower_options.ran is called; 0: none so far. */
uint32_t csg_follower_owner(const struct csg_follower *follower, uint32_t stream);

/* An entry of a call chain: where a frame is at. */
struct csg_chain_entry {
	uint64_t address; /* innermost: where it runs; others: where they are returned to */
	uint32_t owner;
	uint32_t label;		 /* csg_function.label */
	struct csg_stack *stack; /* it is on: privilege and world change with it */
	uint8_t kind; /* enum csg_move: how it was entered; BEGIN: frames below are not known */
};

/*
 * The call chain of a stream now, innermost first; ip is the address that runs, joined as for
 * csg_stack_under().  Fills at most max entries, each entry_size bytes from the next, and returns
 * how many, or -CSG_E_USAGE.
 */
int64_t csg_follower_chain(const struct csg_follower *follower, uint32_t stream, uint64_t ip,
			   bool joined, struct csg_chain_entry *chain, size_t entry_size,
			   size_t max);

/* --- functions --- */

/*
 * A function as labels number it: a symbol of an object; where no symbol is, all of the object;
 * where no object is known, label 0.
 */
struct csg_function_name {
	size_t size;
	const char *name;    /* of the symbol, or NULL */
	const char *dso;     /* path of the object as recorded, or NULL */
	const char *file;    /* that the object was read from, or NULL */
	uint64_t start, end; /* addresses of the symbol; without one: where it was first met */
	uint64_t offset;     /* start in the ELF file's own terms (st_value) */
};

/*
 * What a label stands for; NULL: it was not given out.  The struct is valid until the next
 * csg_follower_next() or csg_follower_label(), its strings as long as the session.
 */
const struct csg_function_name *csg_follower_function(const struct csg_follower *follower,
						      uint32_t label);

/*
 * How a function reads: the symbol, else the object's file name in brackets, else "[unknown]".
 * May be written to buf, of which size bytes are used.  Never NULL.
 */
const char *csg_follower_text(const struct csg_follower *follower, uint32_t label, char *buf,
			      size_t size);

/* *label gets the number of what lies at an address.  0, -CSG_E_USAGE, -CSG_E_NO_MEMORY. */
int csg_follower_label(struct csg_follower *follower, uint32_t owner, uint64_t address,
		       uint64_t time, uint32_t *label);

/* What was seen so far. */
struct csg_follower_counts {
	size_t size;
	uint64_t moves[32]; /* by enum csg_move */
	uint64_t cuts[32];  /* by enum csg_bottom: how often a stack was begun anew so */
};

/* Valid as long as the follower; NULL: follower is. */
const struct csg_follower_counts *csg_follower_counts(const struct csg_follower *follower);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
