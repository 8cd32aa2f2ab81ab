/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the instructions of a range lie.  In A64 and A32 each has 4 bytes.  In T32 it has 2 or 4,
 * as its first halfword says (Arm ARM, "T32 instruction set encoding": 0b11101, 0b11110 and 0b11111
 * in bits 15 to 11 begin one of 32 bits), so the n-th instruction is found by reading all those
 * before it.  The walk keeps its place, so that the samples of a long range take one walk.
 */
#ifndef COMMAND_SCRIPT_RANGE_WALK_H
#define COMMAND_SCRIPT_RANGE_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/element.h"

/* Where a range's bytes are read from; read() as in csg_sampler_client.code(). */
struct csg_range_code {
	bool (*read)(void *arg, uint32_t owner, uint64_t address, uint64_t when, uint8_t *bytes,
		     size_t n);
	void *arg;
	uint64_t when; /* perf time */
};

struct csg_range_walk {
	uint64_t count, to; /* this many instructions of the range lie before address to */
};

/* A range begins at start. */
void csg_range_walk_begin(struct csg_range_walk *walk, uint64_t start);

/* Address of the n-th instruction of the range (from 0); n never falls within a range. */
uint64_t csg_range_walk_to(struct csg_range_walk *walk, const struct csg_element *range, uint64_t n,
			   const struct csg_range_code *code);

/* Bytes of the range's instruction at address; 2 where T32 code cannot be read. */
uint8_t csg_range_insn_size(const struct csg_element *range, uint64_t address,
			    const struct csg_range_code *code);

#endif
