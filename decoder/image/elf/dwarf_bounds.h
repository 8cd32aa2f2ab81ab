/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What units of debug information ask of libdw, before it reads them.  libdw keeps each
 * abbreviation before the one that it looks for, of each unit; a structure for each unit; and some
 * hundred bytes for each row of a line program, which may be one byte of it.  In what a compiler
 * writes, these grow with the file.
 */
#ifndef DECODER_IMAGE_ELF_DWARF_BOUNDS_H
#define DECODER_IMAGE_ELF_DWARF_BOUNDS_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#define CSG_UNITS_FREE (1u << 14)	  /* units that any file has; one more for each 256 bytes */
#define CSG_ABBREVIATIONS_MAX (1u << 16)  /* of one unit before that of its first entry */
#define CSG_ABBREVIATIONS_FREE (1u << 18) /* in sum; one more for each 16 bytes of the file */
#define CSG_LINE_PROGRAM_MAX (4u << 20)	  /* bytes of one unit */
#define CSG_LINE_PROGRAMS_FREE (1u << 20) /* bytes in sum; one more for each byte of the file */

/*
 * NULL where the units of a file of size bytes are moderate; else what is too much, and *offset is
 * the place in .debug_info of the unit from which on it is so.
 */
const char *csg_dwarf_units_excess(Dwarf *dwarf, uint64_t size, uint64_t *offset);

/* The line program of a unit: its place in .debug_line and its length; false where it has none. */
bool csg_dwarf_line_program(Dwarf *dwarf, Dwarf_Die *unit, uint64_t *offset, uint64_t *length);

#endif
