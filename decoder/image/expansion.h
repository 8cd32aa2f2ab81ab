/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What debug information asks of whoever reads it, before libdw does: a compressed section says how
 * large it gets, a line program how long it is.  libdw takes their word.
 */
#ifndef DECODER_IMAGE_EXPANSION_H
#define DECODER_IMAGE_EXPANSION_H

#include <elfutils/libdw.h>
#include <stdbool.h>

#include "image/elf_file.h"

/* DWARF gets a fifth of its size; zlib's best is a thousandth, of zeros. */
#define CSG_EXPANSION_TIMES 64
#define CSG_EXPANSION_FREE (16u << 20)	/* bytes that any section may have */
#define CSG_LINE_PROGRAM_MAX (4u << 20) /* bytes of one unit; each may be a row */

/* Whether a section expands to more than CSG_EXPANSION_TIMES its size; *offset is its place in the file. */
bool csg_expands_too_much(const struct csg_elf *elf, uint64_t *offset);

/*
 * Whether the line program of a unit is longer than CSG_LINE_PROGRAM_MAX; *offset is its place in
 * .debug_line.
 */
bool csg_line_program_is_too_long(Dwarf *dwarf, Dwarf_Die *unit, uint64_t *offset);

#endif
