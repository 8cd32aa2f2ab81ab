/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Call stacks of everybody who ran: one for each machine, thread (or vCPU) and privilege, followed
 * through all streams of a recording.  stack/frames.h says how one stack changes while its
 * code runs; this says which stack runs:
 *
 *   what happened                       the stack that ran             the stack that runs now
 *   exception, user to kernel           stays as it is, left at the    the thread's kernel stack,
 *                                       exception's return address     begun anew: WHOLE
 *   ERET, kernel to user                ends: all its frames are gone  the thread's user stack goes
 *                                                                      on where it was left
 *     ... to a function's beginning                                    SIGNAL: a frame more
 *     ... to where a signal came from                                  back to below that signal
 *     ... anywhere else                                                CUT: exec, or not traced
 *   ERET into a guest                   stays, frames and all          the guest's goes on
 *     ... to a vector                                                  EXCEPTION: KVM injected one
 *   exception, guest to VHE host        stays, left at the return      the vCPU thread's kernel
 *                                       address                        stack goes on in the frame
 *                                                                      that entered the guest
 *   exception to EL2 of nVHE, pKVM,     stays                          that CPU's hypervisor stack,
 *   Xen; to EL3                                                        begun anew, or as above
 *   return of the kernel's function     stays, left at its return      the kernel stack of the next
 *   that switches threads               address                        thread
 *   another thread, and the kernel has  stays                          the kernel stack of that
 *   no symbols                                                         thread
 *   gap                                 CUT                            begins anew
 *     ... between an exception and      stays                          goes on
 *     its return address (filtered)
 *     ... code that is not there        stays                          goes on where a frame
 *                                                                      returns to; else CUT
 *
 * Two exceptions with nothing between them: the first is a frame (or level) of its own, left at
 * the vector.  A stack that is another CPU's still is waited for: csg_stacks_feed().
 *
 * At the border: csg_stacks_under() says what a stack hangs under.  A kernel's hangs under the
 * user stack that entered it, a guest's under the kernel stack of its vCPU's thread.
 */
#ifndef DECODER_STACK_STACK_H
#define DECODER_STACK_STACK_H

#include "csguest/element.h"
#include "csguest/owner.h"
#include "stack/frames.h"
#include "stack/tasks.h"

struct csg_stacks;

struct csg_stacks_client {
	void *arg;
	/* The owner with this number. */
	const struct csg_owner *(*owner)(void *arg, uint32_t owner);
	/* Whose code an owner runs: the same pointer for the same code, and of an owner always the
	 * same. */
	const void *(*space)(void *arg, uint32_t owner);
	/* The function at an address of a space; start..end holds at least address.  *until, from when
	 * on it may be another (ns). */
	void (*function)(void *arg, const void *space, uint64_t address, uint64_t when,
			 struct csg_function *function, uint64_t *until);
	/* The host's thread tid, which runs nowhere else, comes to a stream.  The stream that has to be
	 * fed before; UINT32_MAX: none. */
	uint32_t (*await)(void *arg, uint32_t stream, int32_t tid);
	/* What happens, as csg_follower_options has it; each may be NULL. */
	void *to; /* first argument of these */
	void (*entered)(void *arg, struct csg_stack *frames, enum csg_move why);
	void (*leaving)(void *arg, struct csg_stack *frames, enum csg_move why);
	void (*switched)(void *arg, const struct csg_stack_switch *what);
	void (*ran)(void *arg, uint32_t stream, struct csg_stack *frames, uint64_t n);
	void (*mark)(void *arg, uint32_t stream, const struct csg_element *element);
	void (*used)(void *arg, uint32_t stream, const struct csg_element *element);
};

int csg_stacks_create(struct csg_stacks **stacks, const struct csg_stacks_client *client,
		      size_t streams);
void csg_stacks_destroy(struct csg_stacks *stacks);

/*
 * Feeds elements of a stream; when: perf time for names (UINT64_MAX: latest).  Returns how many were
 * used, -CSG_E_NO_MEMORY, or -CSG_E_USAGE for a RANGES element, which does not say what was called.
 * Fewer than n were used when the next belongs to a stack that is still running on the stream that
 * csg_stacks_awaits() names: feed that one until it isn't, or with force, which leaves that stack
 * to it and begins another.
 */
int64_t csg_stacks_feed(struct csg_stacks *stacks, uint32_t stream,
			const struct csg_element *elements, size_t n, uint64_t when, bool force);

/* The stream is over: whoever waits for its stack waits no longer. */
void csg_stacks_end(struct csg_stacks *stacks, uint32_t stream);

/* The stream whose stack this stream waits for; UINT32_MAX: for none. */
uint32_t csg_stacks_awaits(const struct csg_stacks *stacks, uint32_t stream);

/* The stack that runs on this stream now; NULL: none, or what runs is not known. */
struct csg_stack *csg_stacks_now(const struct csg_stacks *stacks, uint32_t stream);

/* Whose the instructions are that csg_stacks_client.ran is told of. */
uint32_t csg_stacks_owner(const struct csg_stacks *stacks, uint32_t stream);

/* As csg_stack_under(). */
struct csg_stack *csg_stacks_under(const struct csg_stack *frames, bool joined);

/*
 * The chain of this stream now, innermost first, as perf has it; ip is where it runs.  Returns how many
 * of at most max entries, each entry_size bytes from the next, there are.
 */
size_t csg_stacks_chain(const struct csg_stacks *stacks, uint32_t stream, uint64_t ip, bool joined,
			void *chain, size_t entry_size, size_t max);

/* What was seen. */
const struct csg_follower_counts *csg_stacks_counts(const struct csg_stacks *stacks);

#endif
