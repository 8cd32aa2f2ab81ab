/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether a function of the kernel, as it was patched when it ran, does nothing but return
 * (csg_code_returns_at_once()).
 *
 * A kernel asks for a CPU capability with a branch that it patches at boot.  Where all that a
 * function does needs a capability that the CPUs do not have, or that its command line did not ask
 * for, what is left to be reached from its first instruction is a return.
 */
#ifndef DECODER_WORLD_RETURNS_AT_ONCE_H
#define DECODER_WORLD_RETURNS_AT_ONCE_H

#include "csguest/hypervisor.h"

/* Whether a function from start to end calls another (BL); false as well where code of it is
 * missing. */
bool csg_code_has_call(uint64_t start, uint64_t end, csg_code_read_fn read, void *arg);

#endif
