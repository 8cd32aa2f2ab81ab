/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A random machine: A64 programs of random instructions at EL0 to EL3, and a random
 * walk through them as an executed path - branches taken or not, calls and returns,
 * exceptions and ERETs between the levels, context changes, and everything else a path
 * can hold.  All of it follows from one seed.  Registers have no values: which way a
 * conditional branch goes and where an indirect one is decided by the dice, which is
 * more than any real program does.
 */
#ifndef TESTS_ENCODER_WANDER_H
#define TESTS_ENCODER_WANDER_H

#include "encoder/decode.h"
#include "encoder/path.h"
#include "encoder/random.h"

#define CSG_ENC_WANDER_WORDS 512
#define CSG_ENC_WANDER_PLACES 6

/* Code that runs in one exception level. */
struct csg_enc_place {
	uint64_t base;
	uint8_t el;
	enum csg_enc_security security;
	bool guest;
	uint32_t words[CSG_ENC_WANDER_WORDS];
};

/* What a walk may do; each makes the path harder to trace. */
struct csg_enc_wander_options {
	unsigned steps; /* P0 elements, about */
	bool gaps;	/* trace off and on, overflow, discard */
	bool speculation;
	bool transactions;
	bool markers; /* timestamps markers, ITE */
	bool time_backwards;
	bool wfx;
	bool q; /* Q elements, for runs of plain instructions */
};

struct csg_enc_wander {
	struct csg_enc_place place[CSG_ENC_WANDER_PLACES];
};

/* Fills the places with code. */
void csg_enc_wander_init(struct csg_enc_wander *w, struct csg_enc_random *random, bool tstart);
/* Appends a walk to the path. */
void csg_enc_wander_walk(struct csg_enc_wander *w, struct csg_enc_random *random,
			 const struct csg_enc_wander_options *options, struct csg_enc_path *path);
/* A csg_enc_read_fn over the places. */
size_t csg_enc_wander_read(void *wander, uint64_t address, void *data, size_t size);

#endif
