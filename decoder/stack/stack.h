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
 * What a stack hangs under, and the chain through all of them: stack/border.h.
 */
#ifndef DECODER_STACK_STACK_H
#define DECODER_STACK_STACK_H

#include "csguest/element.h"
#include "stack/client.h"

struct csg_stacks;

int csg_stacks_create(struct csg_stacks **stacks, const struct csg_stacks_client *client,
		      size_t streams);
void csg_stacks_destroy(struct csg_stacks *stacks);

/*
 * Feeds elements of a stream; when: perf time for names (UINT64_MAX: latest).  Returns how many
 * were used, -CSG_E_NO_MEMORY, or -CSG_E_USAGE for a RANGES element, which does not say what was
 * called. Fewer than n were used when the next belongs to a stack that is still running on the
 * stream that csg_stacks_awaits() names: feed that one until it isn't, or with force, which leaves
 * that stack to it and begins another.
 */
int64_t csg_stacks_feed(struct csg_stacks *stacks, uint32_t stream,
			const struct csg_element *elements, size_t n, uint64_t when, bool force);

/* The stream is over: whoever waits for its stack waits no longer. */
void csg_stacks_end(struct csg_stacks *stacks, uint32_t stream);

/* The stream whose stack this stream waits for; UINT32_MAX: for none. */
uint32_t csg_stacks_awaits(const struct csg_stacks *stacks, uint32_t stream);

/* The stack that runs on this stream now; NULL: none, or what runs is not known. */
struct csg_stack *csg_stacks_now(const struct csg_stacks *stacks, uint32_t stream);

/* Whose the instructions are that csg_stacks_client.ran is called for. */
uint32_t csg_stacks_owner(const struct csg_stacks *stacks, uint32_t stream);

/* What was seen. */
const struct csg_follower_counts *csg_stacks_counts(const struct csg_stacks *stacks);

#endif
