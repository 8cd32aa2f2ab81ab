/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory as a snapshot brings it: files that hold the plain bytes from an address on
 * ([dumpN] of a core's ini file).
 */
#ifndef DECODER_IMAGE_DUMP_H
#define DECODER_IMAGE_DUMP_H

#include <stdbool.h>
#include <stdint.h>

#include "image/file.h"

struct csg_object;

struct csg_dump_region {
	uint64_t start, size;
	const uint8_t *bytes;
	const char *path;
	int32_t cpu;		   /* of the core that it was taken from; -1: of all */
	struct csg_object *object; /* that stands for its file; NULL: not asked for yet */
};

struct csg_dump_file {
	const char *path;
	struct csg_file file;
};

struct csg_dumps {
	struct csg_dump_region *regions; /* in the order given */
	size_t count, room;
	struct csg_dump_file *files;
	size_t file_count, file_room;
};

/*
 * Adds a region of size bytes (0: all of the file) at offset of the file at path, which must stay.
 * -CSG_E_TRUNCATED: the file is shorter; what there is was added.
 */
int csg_dumps_add(struct csg_dumps *dumps, const char *path, uint64_t offset, uint64_t start,
		  uint64_t size, int32_t cpu);

/* The region that holds addr: the first given for all cores, else the first of any.  NULL: none. */
struct csg_dump_region *csg_dumps_find(const struct csg_dumps *dumps, uint64_t addr);

/* No region of another file, or of another place, reaches into this one. */
bool csg_dumps_alone(const struct csg_dumps *dumps, const struct csg_dump_region *region);

void csg_dumps_fini(struct csg_dumps *dumps);

#endif
