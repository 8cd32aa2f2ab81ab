/* SPDX-License-Identifier: BSD-3-Clause */
/* What an address space has mapped at a time, with a memory of the last answer. */
#ifndef DECODER_IMAGE_MAPS_SPACE_MAPS_H
#define DECODER_IMAGE_MAPS_SPACE_MAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "image/maps/mappings.h"

struct csg_machine;

enum csg_space_kind {
	CSG_SPACE_KERNEL,
	CSG_SPACE_PROCESS,
};

struct csg_space {
	struct csg_machine *machine;
	uint8_t kind; /* enum csg_space_kind */
	int32_t pid;  /* PROCESS */
	/* KERNEL: of dumps, of the memory that code in one of these reads (image/maps/dump.h) */
	uint32_t where;
	struct csg_mappings mappings;
	/* the last answer of mappings: good for hit's addresses from hit_from to hit_until - 1 */
	struct csg_map_part hit;
	uint64_t hit_from, hit_until;
	uint64_t hit_changes;
};

/* NULL: out of memory. */
struct csg_space *csg_space_create(struct csg_machine *machine, enum csg_space_kind kind);
void csg_space_destroy(struct csg_space *space);

/*
 * csg_mappings_find() with memory: code is asked for address after address.  Of a machine whose
 * time is not known, csg_mappings_find_steady().
 */
bool csg_space_find(struct csg_space *space, uint64_t addr, uint64_t time,
		    struct csg_map_part *part, uint64_t *until);

/* Whether nothing is known of addr because what is there changes and the machine's time is
 * unknown. */
bool csg_space_changes(const struct csg_space *space, uint64_t addr);

#endif
