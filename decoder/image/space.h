/* SPDX-License-Identifier: BSD-3-Clause */
/* An address space: its mappings, and the answer to the last question (see image.h). */
#ifndef DECODER_IMAGE_SPACE_H
#define DECODER_IMAGE_SPACE_H

#include <stdbool.h>
#include <stdint.h>

#include "image/image.h"
#include "image/mappings.h"
#include "image/symtab.h"

struct csg_space;

/*
 * csg_mappings_find() with memory: code is asked for address after address.  Of a machine whose time
 * is not known, csg_mappings_find_steady().
 */
bool csg_space_piece(struct csg_space *space, uint64_t addr, uint64_t time,
		     struct csg_map_piece *piece, uint64_t *until);

/* Whether nothing is known of addr because what is there changes and the machine's time is unknown. */
bool csg_space_changes(const struct csg_space *space, uint64_t addr);

/* Takes from the hole around addr what has symbols; shift: from the table's addresses to addr's. */
void csg_space_narrow_hole(const struct csg_symtab *symbols, uint64_t addr, uint64_t shift,
			   struct csg_symbol *symbol);

#endif
