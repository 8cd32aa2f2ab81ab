/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A stack goes on where, or not where, it was left: after an exception return, lost trace, or code
 * that is not there.  What is known of it is kept as far as the address proves it; else it is
 * begun anew and says so (enum csg_bottom).
 *
 *   left at        goes on at                             the stack
 *   address A      A, or one instruction off it           goes on: done again, or emulated
 *   A, a kernel's  a vector (16 of 0x80 each)             EXCEPTION: somebody injected one
 *   A, user's      where a signal's frame returns to      that signal, and all above, is gone
 *   anywhere       the beginning of programs              WHOLE: exec
 *   A, user's      the beginning of a function            SIGNAL
 *   anywhere       the function that ran last             goes on
 *   anywhere       anywhere else                          CUT
 */
#ifndef DECODER_STACK_RESUME_H
#define DECODER_STACK_RESUME_H

#include "stack/state.h"

/* The stack was interrupted, somewhere within it, and goes on now. */
int csg_resume_interrupted(struct csg_stack *frames, const struct csg_arrival *to, bool user);

/* Begins a stack after a gap (enum csg_gap), unless it goes on where it was left. */
int csg_resume_after_gap(struct csg_stack *frames, const struct csg_arrival *to, uint8_t gap);

/* Code that was not there has ended, and this is where it went. */
int csg_resume_after_no_code(struct csg_stack *frames, const struct csg_arrival *to, uint8_t gap);

#endif
