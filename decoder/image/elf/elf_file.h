/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A checked view of an ELF file in memory: libelf reads the headers (both classes, extended
 * section numbers), and nothing it says is used before its bounds are checked against the
 * file here, because files come from strangers.  Section contents are read as they lie in
 * the file.
 */
#ifndef DECODER_IMAGE_ELF_ELF_FILE_H
#define DECODER_IMAGE_ELF_ELF_FILE_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/build_id.h"

struct csg_elf {
	Elf *elf;
	const uint8_t *data;
	size_t size;
	GElf_Ehdr header;
	bool is64;
	size_t sections, segments;
	size_t names;	  /* index of the section with the section names; 0: none */
	GElf_Phdr *loads; /* the PT_LOAD segments that lie in the file */
	size_t load_count;
};

struct csg_elf_section {
	GElf_Shdr header;
	const char *name;    /* "" where it has no valid one */
	const uint8_t *data; /* NULL: SHT_NOBITS, or outside of the file */
	size_t index;
};

/*
 * Reads the headers of an ELF file of size bytes at data, which must stay.  -CSG_E_BAD_MAGIC for
 * what is no ELF, -CSG_E_FOREIGN_ENDIAN, -CSG_E_FOREIGN_ARCH for another machine than
 * AArch64 or Arm, -CSG_E_CORRUPT.
 */
int csg_elf_open(struct csg_elf *elf, const uint8_t *data, size_t size);
void csg_elf_close(struct csg_elf *elf);

/* The section of that index or name (the first one); false where there is none. */
bool csg_elf_section(const struct csg_elf *elf, size_t index, struct csg_elf_section *section);
bool csg_elf_section_named(const struct csg_elf *elf, const char *name,
			   struct csg_elf_section *section);

/* A program header whose p_offset and p_filesz lie in the file; false where there is none. */
bool csg_elf_segment(const struct csg_elf *elf, size_t index, GElf_Phdr *segment);

/*
 * The string at offset of a string table section, NULL where it is outside or does not end
 * in it.
 */
const char *csg_elf_string(const struct csg_elf_section *table, uint64_t offset);

/*
 * Symbol of a SHT_SYMTAB or SHT_DYNSYM section; csg_elf_symbol_count() is how many there
 * are whole.
 */
size_t csg_elf_symbol_count(const struct csg_elf *elf, const struct csg_elf_section *table);
bool csg_elf_symbol(const struct csg_elf *elf, const struct csg_elf_section *table, size_t index,
		    GElf_Sym *symbol);

/* The build ID from the places where perf and the kernel look for it; false: none. */
bool csg_elf_build_id(const struct csg_elf *elf, struct csg_build_id *id);

#endif
