/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether code is what ran, by samples (session/open/code_sample.h) of one bout after the other.
 *
 * A bout is what one owner ran without a break.  All of it is of one kernel, while one owner's
 * bouts may be of several: a guest that is a hypervisor itself has kernels below it in the same
 * vCPU, a guest may start another kernel (kexec), and a VM's number may come back with another VM.
 * So a sample that contradicts the code refutes it only where bouts that agree with it are no more
 * than come by chance.
 */
#ifndef DECODER_SESSION_OPEN_CODE_BOUTS_H
#define DECODER_SESSION_OPEN_CODE_BOUTS_H

#include "csguest/kernel_file.h"
#include "session/open/code_sample.h"

enum csg_code_verdict {
	CSG_CODE_NOTHING, /* nothing ran there of which the code has a branch */
	CSG_CODE_FEW,	  /* too little for a verdict against it */
	CSG_CODE_AGREES,  /* as code does that ran */
	CSG_CODE_MIXED,	  /* some bouts agree, others do not */
	CSG_CODE_UNCLEAR, /* bouts are too short to say whether some agree */
	CSG_CODE_REFUTED,
};

/* All zero is empty. */
struct csg_code_bouts {
	struct csg_code_sample all, bout;
	bool mixes;	/* one owner may have run several kernels */
	uint32_t full;	/* bouts with enough places for an opinion of their own */
	uint32_t right; /* of them, those that agree */
};

/* csg_code_sample_take() for the current bout, and for all. */
void csg_code_bouts_take(struct csg_code_bouts *bouts, unsigned int features, uint64_t address,
			 uint32_t pattern, unsigned int n, csg_code_read_fn read, void *arg);

/* The bout is over. */
void csg_code_bouts_end(struct csg_code_bouts *bouts);

/* Once the last bout is over. */
enum csg_code_verdict csg_code_bouts_verdict(const struct csg_code_bouts *bouts);

/* No more needs to be looked at. */
bool csg_code_bouts_enough(const struct csg_code_bouts *bouts);

/* What a verdict is of the file that the code is of, and why it is none: one line; NULL: it is
 * one. */
enum csg_kernel_file_state csg_code_verdict_state(enum csg_code_verdict verdict);
const char *csg_code_verdict_why_not(enum csg_code_verdict verdict);

#endif
