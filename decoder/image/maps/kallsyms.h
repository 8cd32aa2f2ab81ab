/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * /proc/kallsyms: the kernel's own list of its symbols, with the addresses of one boot:
 *	ffff800008010000 T _stext
 *	ffff800001a3c000 t ext4_init_fs	[ext4]
 * Sizes are not in it: a symbol ends at the next one.  As in perf (symbol.c,
 * map__process_kallsym_symbol) only functions and writable data count, and names with '$' do
 * not.  With kptr_restrict all addresses are zero: such a list says nothing.
 */
#ifndef DECODER_IMAGE_MAPS_KALLSYMS_H
#define DECODER_IMAGE_MAPS_KALLSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image/elf/symtab.h"

#define CSG_KALLSYMS_TRAMPOLINE_NAMES 5

struct csg_kallsyms {
	struct csg_symtab symbols; /* virtual addresses */
	const char **modules;	   /* names by csg_sym.module - 1: "[ext4]"; in symbols.names */
	size_t module_count, module_capacity;
	/* The relocation reference symbol and where it was in this list. */
	bool has_reference;
	uint64_t reference;
	/* Addresses by which KPTI's trampoline is found (image/kernel/kernel_regions.c), once
	 * looked up. */
	bool has_trampoline;
	uint64_t trampoline_names[CSG_KALLSYMS_TRAMPOLINE_NAMES];
	bool borrowed; /* everything is another list's, which is the same and stays as long */
};

/*
 * Reads size bytes of text.  reference is the name of the symbol by which the kernel's
 * relocation is known ("_text", "_stext"), or NULL.  Lines that are no symbols are skipped.
 * -CSG_E_CORRUPT: not one symbol in it; -CSG_E_UNSUPPORTED: all addresses are hidden.
 * After csg_kallsyms_relocate() the table can be searched.
 */
int csg_kallsyms_parse(struct csg_kallsyms *k, const char *text, size_t size,
		       const char *reference);

/*
 * Moves the kernel's symbols by delta: from the boot this list is of to the one that was
 * recorded.  Modules move by themselves: with another delta than 0 their symbols are dropped.
 */
void csg_kallsyms_relocate(struct csg_kallsyms *k, uint64_t delta);

/* The same list for another kernel: one that owner does not outlive. */
void csg_kallsyms_borrow(struct csg_kallsyms *k, const struct csg_kallsyms *owner);

/* "[ext4]", or NULL for the kernel proper. */
const char *csg_kallsyms_module(const struct csg_kallsyms *k, const struct csg_sym *sym);

void csg_kallsyms_fini(struct csg_kallsyms *k);

#endif
