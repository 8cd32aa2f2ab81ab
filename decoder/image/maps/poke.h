/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernel text that changed while it was recorded (PERF_RECORD_TEXT_POKE: static keys,
 * ftrace, kprobes).  Each record has the bytes before and after.  What an address held at a
 * time follows from them whatever the image of the kernel is of: the new bytes of the last
 * change until then, else the old bytes of the first one after it, else the image's.
 *
 * Pages with changes are put together per version when they are asked for, and kept: the
 * bytes handed out stay.
 */
#ifndef DECODER_IMAGE_MAPS_POKE_H
#define DECODER_IMAGE_MAPS_POKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/arena.h"

#define CSG_POKE_PAGE 4096

struct csg_poke {
	uint64_t address, time;
	const uint8_t *old_bytes, *new_bytes;
	uint16_t old_len, new_len;
};

/* A page between two changes. */
struct csg_poke_version {
	uint64_t from, until; /* valid from .. until - 1 */
	uint8_t bytes[CSG_POKE_PAGE];
	bool known[CSG_POKE_PAGE]; /* by byte */
};

struct csg_poked_page {
	uint64_t start;
	size_t count;			    /* of changes */
	const struct csg_poke **changes;    /* in order of time */
	struct csg_poke_version **versions; /* after this many changes; NULL: not asked for yet */
	struct csg_poke_version *steady;    /* what no change changes; NULL: not asked for yet */
};

struct csg_pokes {
	struct csg_arena *arena;
	struct csg_poke **pokes; /* by time */
	size_t count, capacity;
	struct csg_poked_page *pages; /* by address; made when asked for */
	size_t page_count;
	bool indexed;
};

/* One change; the bytes are copied.  Calls come in time order. */
int csg_pokes_add(struct csg_pokes *pokes, uint64_t address, uint64_t time,
		  const uint8_t *old_bytes, uint16_t old_len, const uint8_t *new_bytes,
		  uint16_t new_len);

/*
 * Start of the first page with changes that ends after addr: the page of addr if it has
 * any.  UINT64_MAX: none.
 */
uint64_t csg_pokes_next_page(struct csg_pokes *pokes, uint64_t addr);

/*
 * The page with addr as it was at time, in *version, which stays; NULL where it has no
 * changes.  The image has bytes base_begin to base_end - 1 of the page, from base on (the
 * same for every call for a page); the others are known only where they were poked.
 */
int csg_pokes_page(struct csg_pokes *pokes, uint64_t addr, uint64_t time, const uint8_t *base,
		   uint32_t base_begin, uint32_t base_end, const struct csg_poke_version **version);

/* The same of what is there at all times: bytes that changed are not known. */
int csg_pokes_steady_page(struct csg_pokes *pokes, uint64_t addr, const uint8_t *base,
			  uint32_t base_begin, uint32_t base_end,
			  const struct csg_poke_version **version);

void csg_pokes_fini(struct csg_pokes *pokes);

#endif
