/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A symbol table: ranges with names, found by address.
 *
 * The rules are perf's (tools/perf/util/symbol.c), so that the names are:
 *   - a symbol without a size ends where the next one begins (symbols__fixup_end); the last
 *     one a page after the page it is in
 *   - of symbols that begin at one address one stays (choose_best_symbol): not empty, not
 *     weak, global, fewer leading underscores, longer name, the first
 * perf keeps symbols that lie within others in a tree that finds either, by chance; here it is the
 * innermost one that covers the address.
 *
 * Addresses are in the owner's terms: file offsets of user files as perf has them,
 * virtual addresses in kernels.
 */
#ifndef DECODER_IMAGE_ELF_SYMTAB_H
#define DECODER_IMAGE_ELF_SYMTAB_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/symbol.h"
#include "util/arena.h"

struct csg_sym {
	uint64_t start, end; /* end is after the last byte */
	const char *name;    /* as the file has it; csg_symtab_name() demangles */
	uint32_t outer;	     /* the next symbol before it that reaches over its start, or itself */
	uint16_t module;     /* kallsyms: number of its module, 0: the kernel proper */
	uint8_t binding;     /* STB_* */
	bool demangled;	     /* name is final */
};

struct csg_symtab {
	struct csg_sym *syms;
	size_t count, capacity;
	size_t last;	/* found last: code is asked for address after address */
	bool demangle;	/* C++ and Rust names */
	bool no_memory; /* a demangled name could not be kept */
	bool by_module; /* kallsyms: a symbol without a size does not reach into another module */
	struct csg_arena names;
};

/* Makes room for n symbols in all.  0 or -CSG_E_NO_MEMORY. */
int csg_symtab_reserve(struct csg_symtab *table, size_t n);

/* The name must stay as long as the table.  size 0: not known. */
int csg_symtab_add(struct csg_symtab *table, uint64_t start, uint64_t size, uint8_t binding,
		   uint16_t module, const char *name);

/* Adds a symbol from start to end in the name of something without one: "main@plt". */
int csg_symtab_add_copy(struct csg_symtab *table, uint64_t start, uint64_t size, const char *name);

/*
 * Sorts, gives ends, and removes all but the best at one address.  More symbols may be added
 * afterwards, and the table finished again.
 */
void csg_symtab_finish(struct csg_symtab *table);

/* The symbol that covers addr, or NULL; in a finished table. */
struct csg_sym *csg_symtab_find(struct csg_symtab *table, uint64_t addr);

/* The addresses around addr, which no symbol covers, that none covers either: start..end. */
void csg_symtab_hole(const struct csg_symtab *table, uint64_t addr, uint64_t *start, uint64_t *end);

/*
 * Takes from the hole around addr that symbol has what has symbols in the table; shift: from the
 * table's addresses to addr's.
 */
void csg_symtab_narrow_hole(const struct csg_symtab *table, uint64_t addr, uint64_t shift,
			    struct csg_symbol *symbol);

/* The symbol's name, demangled if the table says so. */
const char *csg_symtab_name(struct csg_symtab *table, struct csg_sym *sym);

/* The first symbol of that (not demangled) name that is no module's, or NULL.  Looks at all. */
const struct csg_sym *csg_symtab_named(const struct csg_symtab *table, const char *name);

void csg_symtab_fini(struct csg_symtab *table);

#endif
