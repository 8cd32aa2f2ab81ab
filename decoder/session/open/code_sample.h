/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A sample of the addresses that ran, compared with code that is said to be there.
 *
 * Where the trace says an address and atoms follow, the code there must have a branch for each
 * atom. An atom N is of a branch that was not taken, so it is of a conditional one: B, BL, BR, RET,
 * ERET and ISB always have an atom E.  UDF never goes on to a branch at all.  Of code that ran,
 * nearly every N agrees (a kernel patches some of its branches while it runs); of other code, or
 * the same elsewhere, about half do.
 */
#ifndef DECODER_SESSION_OPEN_CODE_SAMPLE_H
#define DECODER_SESSION_OPEN_CODE_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/hypervisor.h"

#define CSG_CODE_SAMPLE_SEEN 512
#define CSG_CODE_SAMPLE_ENOUGH 64    /* places: no more are needed */
#define CSG_CODE_SAMPLE_REPEATS 1024 /* csg_code_sample_repeats() */

/* All zero is an empty sample. */
struct csg_code_sample {
	uint32_t agreed, contradicted; /* places */
	uint64_t first;		       /* that was contradicted */
	uint32_t repeats;	       /* times that code of it ran since the last place was new */
	uint64_t seen[CSG_CODE_SAMPLE_SEEN]; /* each place counts once */
};

/*
 * A64 code ran from address on with n atoms, the oldest in bit 0 of pattern; set: E.  features: of
 * the trace unit (flow/core/insn.h).
 */
void csg_code_sample_take(struct csg_code_sample *sample, unsigned int features, uint64_t address,
			  uint32_t pattern, unsigned int n, csg_code_read_fn read, void *arg);

/* The code is not what ran: too many places contradict it for patched branches and damage. */
bool csg_code_sample_refutes(const struct csg_code_sample *sample);

/* The last CSG_CODE_SAMPLE_REPEATS times that code of it ran no place was new. */
bool csg_code_sample_repeats(const struct csg_code_sample *sample);

/* How many places were compared. */
uint32_t csg_code_sample_places(const struct csg_code_sample *sample);

#endif
