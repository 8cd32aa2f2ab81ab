/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory as a snapshot brings it: files that hold the plain bytes from an address on
 * ([dumpN] of a core's ini file).
 */
#ifndef DECODER_IMAGE_MAPS_DUMP_H
#define DECODER_IMAGE_MAPS_DUMP_H

#include <stdbool.h>
#include <stdint.h>

#include "image/elf/file.h"

struct csg_object;

/*
 * Where code runs, as a set of exception levels in each security state: bit EL, more 4 in secure
 * state, and more 8 in realm state.  EL0 reads the memory of EL1.  EL3 has one bit, whatever its
 * state is called.
 */
#define CSG_DUMP_NON_SECURE(el) (1u << (el))
#define CSG_DUMP_SECURE(el) (1u << ((el) == 3 ? 3 : (el) + 4))
#define CSG_DUMP_REALM(el) (1u << ((el) == 3 ? 3 : (el) + 8))
#define CSG_DUMP_EVERYWHERE 0x77fu

/* Where a dump's memory is, by its space= ("EL1N", "S"; NULL: everywhere).  0: none is called
 * so. */
uint32_t csg_dump_where(const char *space);

struct csg_dump_region {
	uint64_t start, size;
	const uint8_t *bytes;
	const char *path;
	uint32_t where;		   /* it is the memory of these */
	int32_t cpu;		   /* of the core that it was taken from; -1: of all */
	struct csg_object *object; /* that stands for its file; NULL: not asked for yet */
};

struct csg_dump_file {
	const char *path;
	struct csg_file file;
};

struct csg_dumps {
	struct csg_dump_region *regions; /* in the order given */
	size_t count, capacity;
	bool divided;  /* not all of them are of everywhere */
	bool disputed; /* that they differ was reported */
	struct csg_dump_file *files;
	size_t file_count, file_capacity;
};

/*
 * Adds a region of size bytes (0: all of the file) at offset of the file at path, which must stay.
 * -CSG_E_TRUNCATED: the file is shorter; what there is was added.
 */
int csg_dumps_add(struct csg_dumps *dumps, const char *path, uint64_t offset, uint64_t start,
		  uint64_t size, uint32_t where, int32_t cpu);

/* Where dumps overlap, they are compared from an address on for this many bytes at once. */
#define CSG_DUMP_READ 2048

/* What the dumps hold at an address. */
struct csg_dump_bytes {
	struct csg_dump_region
		*region; /* the first given for all cores, else the first of any; NULL: none */
	/* what they hold is the same up to here, if not further; of none: the address */
	uint64_t end;
	const struct csg_dump_region *other; /* holds other bytes at the address than region */
};

/* Of code that runs in one of where, nobody knows in which. */
struct csg_dump_bytes csg_dumps_find(const struct csg_dumps *dumps, uint64_t addr, uint32_t where);

/* No region of another file, or of another place, reaches into this one. */
bool csg_dumps_alone(const struct csg_dumps *dumps, const struct csg_dump_region *region);

void csg_dumps_fini(struct csg_dumps *dumps);

#endif
