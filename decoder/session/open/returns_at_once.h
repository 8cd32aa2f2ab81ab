/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether a function of the kernel, as it was patched when it ran, does nothing but return.
 *
 * A kernel asks for a CPU capability with a branch that it patches at boot.  Where all that a function does
 * needs a capability that the CPUs do not have, or that its command line did not ask for, what is left
 * to be reached from its first instruction is a return.
 */
#ifndef DECODER_SESSION_OPEN_RETURNS_AT_ONCE_H
#define DECODER_SESSION_OPEN_RETURNS_AT_ONCE_H

#include <stdbool.h>

#include "session/open/code_sample.h"

/* Whether a function from start to end calls another (BL); false as well where code of it is missing. */
bool csg_code_has_call(uint64_t start, uint64_t end, csg_code_sample_read_fn read, void *arg);

/*
 * Every path from address on comes to a return (RET) without a call, and without an instruction that
 * causes an exception, as one does that waits to be patched (BRK).  False as well where code is
 * missing or branches are many.
 */
bool csg_code_returns_at_once(uint64_t address, csg_code_sample_read_fn read, void *arg);

#endif
