/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Time slices "run this code from here until there" into an executed path: walks A64 code
 * from waypoint to waypoint, asks the caller which way conditional branches go and
 * where indirect ones lead, and remembers the return addresses of calls.
 *
 * The walk stops where the code alone cannot say what comes next: before an ERET, an
 * indirect branch nobody knows the target of, after an SVC, HVC or SMC, or at an
 * address the caller gave.  The caller then says what happened - an exception, a
 * branch, an exception return - and goes on.  Instructions walked since the last P0
 * instruction stay pending and become part of the next event.
 */
#ifndef TESTS_ENCODER_PROGRAM_H
#define TESTS_ENCODER_PROGRAM_H

#include "encoder/decode.h"
#include "encoder/path.h"

#define CSG_ENC_PROGRAM_THREADS 24
#define CSG_ENC_PROGRAM_CALLS 64

enum csg_enc_stop {
	CSG_ENC_STOP_THERE,    /* before the instruction at `until` */
	CSG_ENC_STOP_CALL,     /* after an SVC, HVC or SMC */
	CSG_ENC_STOP_ERET,     /* before an ERET */
	CSG_ENC_STOP_INDIRECT, /* before an indirect branch */
	CSG_ENC_STOP_LIMIT,    /* too many instructions: a loop that does not end */
	CSG_ENC_STOP_NO_CODE,
};

struct csg_enc_program {
	csg_enc_read_fn *read;
	/* Is the conditional branch at pc taken?  NULL: backward ones two times of three. */
	bool (*taken)(void *arg, uint64_t pc, uint64_t target);
	/* Every instruction walked, before it takes effect on the path; may be NULL. */
	void (*executed)(void *arg, uint64_t pc, uint32_t word);
	void *arg;
	bool wfx; /* WFI and WFE are P0 instructions */

	struct csg_enc_path *path;
	struct csg_enc_context context; /* for read and taken: where the code runs */
	uint64_t pc;
	uint64_t start; /* of the run that is pending */
	unsigned thread;
	struct {
		uint64_t calls[CSG_ENC_PROGRAM_CALLS];
		unsigned count;
	} threads[CSG_ENC_PROGRAM_THREADS];
	uint64_t dice;	       /* state of the default for taken */
	uint64_t instructions; /* walked so far */
};

/* Begins at pc in that context; appends to path. */
void csg_enc_program_begin(struct csg_enc_program *p, struct csg_enc_path *path,
			   const struct csg_enc_context *context, uint64_t pc);
/* Walks until the address (0: none).  Returns enum csg_enc_stop. */
enum csg_enc_stop csg_enc_program_run(struct csg_enc_program *p, uint64_t until);
/* Takes the indirect branch (not ERET) the walk stopped at. */
void csg_enc_program_branch(struct csg_enc_program *p, uint64_t target);
/* Takes the ERET the walk stopped at. */
void csg_enc_program_eret(struct csg_enc_program *p, uint64_t target,
			  const struct csg_enc_context *context);
/* An exception whose preferred return address is the current pc. */
void csg_enc_program_exception(struct csg_enc_program *p, unsigned number, uint64_t target,
			       const struct csg_enc_context *context);
/* The stack of return addresses that calls and returns from now on use. */
void csg_enc_program_thread(struct csg_enc_program *p, unsigned thread);

#endif
