/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where anything was mapped at any time, in whatever process: asked of for every stretch of code
 * whose process is not known.
 */
#ifndef DECODER_IMAGE_MAPS_EVER_MAPPED_H
#define DECODER_IMAGE_MAPS_EVER_MAPPED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct csg_mapped_range {
	uint64_t start, end; /* the byte after the last */
};

/* All zero is empty. */
struct csg_ever_mapped {
	struct csg_mapped_range *ranges;
	size_t count, capacity;
	bool sorted; /* by address, and none meets another */
};

void csg_ever_mapped_fini(struct csg_ever_mapped *mapped);

/* 0 or -CSG_E_NO_MEMORY. */
int csg_ever_mapped_add(struct csg_ever_mapped *mapped, uint64_t start, uint64_t end);

/* The first time after something was added it sorts. */
bool csg_ever_mapped_at(struct csg_ever_mapped *mapped, uint64_t addr);

#endif
