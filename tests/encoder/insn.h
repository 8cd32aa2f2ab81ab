/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which A64 instructions are P0 instructions of the ETM architectures, and where the
 * direct ones branch to: as much of an A64 decoder as turning code into an executed
 * path needs.  SVC, HVC, SMC and BRK are no P0 instructions - the exception they cause
 * is the trace element - but a walk must stop at them, so they are reported here too.
 */
#ifndef TESTS_ENCODER_INSN_H
#define TESTS_ENCODER_INSN_H

#include <stdbool.h>
#include <stdint.h>

#include "encoder/path.h"

struct csg_enc_insn {
	bool is_p0;
	bool is_call_exception; /* SVC, HVC, SMC */
	bool conditional;	/* B.cond, CBZ, TBZ ... */
	enum csg_enc_p0 p0;
	uint64_t target; /* direct branches */
};

/* wfx: WFI, WFE and their timed forms are P0 instructions. */
struct csg_enc_insn csg_enc_insn_decode(uint32_t word, uint64_t pc, bool wfx);

#endif
