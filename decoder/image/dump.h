/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory as a snapshot brings it: files that hold the plain bytes from an address on
 * ([dumpN] of a core's ini file), for the exception levels and security states that its
 * "space" names.  The names and what they take in are OpenCSD's (ocsd_mem_space_acc_t):
 * EL1N is non-secure EL1 and EL0, N everything non-secure, and so on.
 */
#ifndef DECODER_IMAGE_DUMP_H
#define DECODER_IMAGE_DUMP_H

#include <stdbool.h>
#include <stdint.h>

#include "csguest/context.h"
#include "image/file.h"

/* Translation regimes, as a set of bits; the values of OCSD_MEM_SPACE_*. */
enum csg_regime {
	CSG_REGIME_EL1S = 0x01,
	CSG_REGIME_EL1N = 0x02,
	CSG_REGIME_EL2N = 0x04,
	CSG_REGIME_EL3 = 0x08,
	CSG_REGIME_EL2S = 0x10,
	CSG_REGIME_EL1R = 0x20,
	CSG_REGIME_EL2R = 0x40,
	CSG_REGIME_ROOT = 0x80,
	CSG_REGIME_ANY = 0xff,
};

struct csg_object;

struct csg_dump_region {
	uint64_t start, size;
	const uint8_t *bytes;
	const char *path;
	uint32_t regimes;
	int32_t cpu;
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

/* The regimes of a snapshot's space name; an unknown one, or NULL, is any, as in OpenCSD. */
uint32_t csg_regimes_named(const char *space);

/* The regime of a context; what is not known of it widens the set. */
uint32_t csg_regimes_of(enum csg_el el, enum csg_security security);

/*
 * Adds a region of size bytes (0: all of the file) at offset of the file at path, which must stay.
 * -CSG_E_TRUNCATED: the file is shorter; what there is was added.
 */
int csg_dumps_add(struct csg_dumps *dumps, const char *path, uint64_t offset, uint64_t start,
		  uint64_t size, uint32_t regimes, int32_t cpu);

/*
 * The region that holds addr in one of the regimes: the first given for that core, else the
 * first of any.  NULL: none.
 */
struct csg_dump_region *csg_dumps_find(const struct csg_dumps *dumps, uint64_t addr,
				       uint32_t regimes, int32_t cpu);

/* No region of another file, or of another place, reaches into this one. */
bool csg_dumps_alone(const struct csg_dumps *dumps, const struct csg_dump_region *region);

void csg_dumps_fini(struct csg_dumps *dumps);

#endif
