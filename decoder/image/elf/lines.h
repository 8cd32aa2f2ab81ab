/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Source lines, by libdwfl from the DWARF of a file or of the .debug file with its build ID.
 * That file is looked for where symbols are (find_file.h); nothing is downloaded.
 */
#ifndef DECODER_IMAGE_ELF_LINES_H
#define DECODER_IMAGE_ELF_LINES_H

#include <stdint.h>

#include "csguest/diag.h"
#include "image/elf/find_file.h"

struct csg_lines;

/*
 * Opens the ELF file at path, which was recorded as name.  places, sink and strings must stay.
 * *lines is NULL where libdw cannot read it: then there are no lines.  Nor are there, and sink
 * hears why, where little debug information asks for much memory (image/elf/expansion.h).  0 or
 * -CSG_E_NO_MEMORY.
 */
int csg_lines_open(struct csg_lines **lines, const char *path, const char *name,
		   const struct csg_places *places, const struct csg_diag_sink *sink);
void csg_lines_close(struct csg_lines *lines);

/*
 * File and line of an address in the file's own terms (st_value); *file is NULL where they
 * are not known, and lives as long as lines.  0 or -CSG_E_NO_MEMORY.
 */
int csg_lines_find(struct csg_lines *lines, uint64_t addr, const char **file, int *line);

#endif
