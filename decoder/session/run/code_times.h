/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * When code ran, and which code that is: kernels change their text, processes their mappings and
 * programs.  The time of what runs is known to the timestamps on both sides of it, or to the AUX
 * record that it is in; code is read where it was the same all the while.
 */
#ifndef DECODER_SESSION_RUN_CODE_TIMES_H
#define DECODER_SESSION_RUN_CODE_TIMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct csg_chunk;
struct csg_job;
struct csg_space;

/* Host perf times, ns: what runs runs at or after one, and at or before the other. */
struct csg_code_times {
	uint64_t from, to;
};

/* What is known of the time of code. */
struct csg_code_clock {
	const struct csg_chunk *chunk; /* it is in */
	uint64_t first_stamp;	       /* of its job: csg_code_first_stamp() */
	struct csg_code_times times;   /* of the timestamps around it, else of the chunk */
};

/* By when what is in a chunk had run; UINT64_MAX: not known, images as they were last. */
uint64_t csg_code_end(const struct csg_chunk *chunk);

/* What ran before the first timestamp of the job that has a time ran before this; 0: none has. */
uint64_t csg_code_first_stamp(const struct csg_job *job);

/* When code is looked up. */
uint64_t csg_code_lookup_time(const struct csg_code_clock *clock);

/*
 * When code of a space ran: between timestamps of its chunk, if the space's times compare with them
 * exactly (csg_code_is_dated()); otherwise at any time of the chunk, or of the chunk up to its
 * first timestamp.
 */
bool csg_code_is_dated(const struct csg_code_clock *clock, const struct csg_space *space);
struct csg_code_times csg_code_times_in(const struct csg_code_clock *clock,
					const struct csg_space *space);

/*
 * How many of the *len bytes at address, which were looked up at one of these times, were there all
 * the while: of two versions nobody knows which one ran.  What is not there any more ran before
 * that, unless the record of what came in its place may be lost.  0, or -CSG_E_NO_IMAGE where none
 * were.
 */
int csg_code_steady(struct csg_space *space, uint64_t address, const struct csg_code_times *times,
		    const uint8_t *bytes, size_t *len);

#endif
