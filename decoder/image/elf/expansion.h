/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What compressed sections of a file ask of whoever expands them, before libdw does: a section says
 * how large it gets, and in which way it was compressed.  libdw takes its word for the one, and is
 * silent about a way that it does not know.
 */
#ifndef DECODER_IMAGE_ELF_EXPANSION_H
#define DECODER_IMAGE_ELF_EXPANSION_H

#include <stdbool.h>
#include <stdint.h>

#include "image/elf/elf_file.h"

/* DWARF gets a fifth of its size; zlib's best is a thousandth, of zeros. */
#define CSG_EXPANSION_TIMES 64
#define CSG_EXPANSION_FREE (16u << 20) /* bytes that any section may have */

/* Whether a section expands to more than CSG_EXPANSION_TIMES its size; *offset is its place in the
 * file. */
bool csg_expands_too_much(const struct csg_elf *elf, uint64_t *offset);

/*
 * The type (ch_type, 2 is zstd) of a section of debug information that libdw, as it is installed,
 * cannot expand; *offset is its place in the file.  0: there is none.  Expands a section: only of a
 * file that does not expand too much.
 */
uint32_t csg_unknown_compression(const struct csg_elf *elf, uint64_t *offset);

#endif
