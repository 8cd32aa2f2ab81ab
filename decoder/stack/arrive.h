/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The state machine's transitions: execution arrives at an address of an owner, and with how what
 * ran before ended (enum csg_pending) that says what becomes of the stacks.
 *
 *   pending      same level and machine                  another level or machine
 *   NOTHING      it goes on                              CUT: resume.h, after a gap
 *   CALL         CALL               frames.h             "
 *   RETURN       RETURN, UNWIND, TAIL_CALL or CUT        "
 *                                   frames.h
 *   JUMP, INDIRECT  TAIL_CALL, UNWIND or JUMP            "
 *                                   frames.h
 *   SWITCH       another thread     thread_switch.h      "
 *   EXCEPTION    EXCEPTION          frames.h             kernel, or who entered the guest: border.h
 *   ERET         ERET               frames.h             user or a guest goes on: resume.h
 *   GAP          CUT, unless it goes on where            the same, on the other stack
 *                it was left        resume.h
 *   NO_CODE      its caller goes on, or CUT              "
 *                                   resume.h
 *
 * Where only the thread is another: csg_thread_named().
 */
#ifndef DECODER_STACK_ARRIVE_H
#define DECODER_STACK_ARRIVE_H

#include "stack/state.h"

/*
 * 0, an error, or CSG_STACKS_BLOCKED: the stack is still another stream's, nothing is changed, and
 * csg_stack_cpu.awaits says which stream has to be fed before.
 */
int csg_stacks_arrive(struct csg_stacks *s, uint32_t stream, uint64_t address, uint32_t owner);

#endif
