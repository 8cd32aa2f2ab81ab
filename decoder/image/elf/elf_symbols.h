/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The symbols of an ELF file, chosen as perf does (tools/perf/util/symbol-elf.c,
 * dso__load_sym): functions, indirect functions, objects, and visible labels in text and
 * data sections; of .symtab and .dynsym both; not AArch64's mapping symbols ($x, $d), nor
 * what is absolute, undefined or not loaded.  Entries of the procedure linkage table get
 * names of their own: "puts@plt".
 */
#ifndef DECODER_IMAGE_ELF_ELF_SYMBOLS_H
#define DECODER_IMAGE_ELF_ELF_SYMBOLS_H

#include "image/elf/elf_file.h"
#include "image/elf/symtab.h"

/* In which terms the table's addresses are. */
enum csg_elf_terms {
	CSG_ELF_OFFSETS,   /* offsets in the file: what a user mapping's pgoff speaks of */
	CSG_ELF_ADDRESSES, /* st_value: a kernel's virtual addresses before relocation */
};

/*
 * Adds the symbols of elf to the table and finishes it.  code is the file that runs, where
 * elf only holds its symbols (a .debug file, in which sections of code are SHT_NOBITS and
 * whose file offsets mean nothing); otherwise elf itself.  Names stay in elf's bytes.
 * A damaged table is read as far as it is good.
 */
int csg_elf_symbols(struct csg_symtab *table, const struct csg_elf *elf, const struct csg_elf *code,
		    enum csg_elf_terms terms);

/* Adds "…@plt" symbols (CSG_ELF_OFFSETS) to a finished table, and finishes it again. */
int csg_elf_plt_symbols(struct csg_symtab *table, const struct csg_elf *elf);

/* Value of the first symbol of that name in .symtab; false: none. */
bool csg_elf_symbol_value(const struct csg_elf *elf, const char *name, uint64_t *value);

/* Virtual address of a file offset, by the program headers.  False: it is mapped nowhere. */
bool csg_elf_address(const struct csg_elf *elf, uint64_t offset, uint64_t *address);

#endif
