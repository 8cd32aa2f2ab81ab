/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which of many streams is the earliest: the one with the least time, of several the one with the
 * least number.  A heap that knows where each stream is, so that any of them may change its time.
 */
#ifndef DECODER_STACK_EARLIEST_H
#define DECODER_STACK_EARLIEST_H

#include <stddef.h>
#include <stdint.h>

struct csg_earliest {
	uint64_t *times;  /* by stream */
	uint32_t *places; /* by stream: where it is in order; UINT32_MAX: not there */
	uint32_t *order;
	uint32_t n; /* streams that are there */
};

/* Of n streams, none of which is there yet.  0 or -CSG_E_NO_MEMORY; _fini is safe even then. */
int csg_earliest_init(struct csg_earliest *earliest, size_t n);
void csg_earliest_fini(struct csg_earliest *earliest);

/* The stream is there, with this time from now on. */
void csg_earliest_set(struct csg_earliest *earliest, uint32_t stream, uint64_t time);

/* The stream is not there any more.  Nothing happens where it was not. */
void csg_earliest_remove(struct csg_earliest *earliest, uint32_t stream);

/* UINT32_MAX: none is there. */
uint32_t csg_earliest_get(const struct csg_earliest *earliest);

#endif
