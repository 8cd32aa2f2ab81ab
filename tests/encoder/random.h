/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random numbers that are the same on every machine (splitmix64): what is generated
 * follows from its seed alone, so that a failing case can be found by one number.
 */
#ifndef TESTS_ENCODER_RANDOM_H
#define TESTS_ENCODER_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct csg_enc_random {
	uint64_t state;
};

uint64_t csg_enc_random_next(struct csg_enc_random *random);
/* 0 .. limit-1; limit is not 0. */
uint32_t csg_enc_random_below(struct csg_enc_random *random, uint32_t limit);
/* True in percent of 100 cases. */
bool csg_enc_random_chance(struct csg_enc_random *random, uint32_t percent);

#endif
