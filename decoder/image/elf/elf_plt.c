/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names for the entries of .plt, which no symbol table has: the n-th relocation of
 * .rela.plt belongs to the n-th entry after the header (tools/perf/util/symbol-elf.c,
 * dso__synthesize_plt_symbols).  perf takes AArch64 entries to have 16 bytes; with
 * -z force-bti or pac-plt they have 24 in executables, which the sizes of the two sections tell.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/elf/demangle.h"
#include "image/elf/elf_symbols.h"

#define NAME_MAX_PLT 1024

struct plt {
	const struct csg_elf *elf;
	struct csg_elf_section plt, relocations, symbols, strings;
	size_t count, header_size, entry_size;
};

static size_t relocation_size(const struct csg_elf *elf, uint32_t type)
{
	if (elf->is64)
		return type == SHT_RELA ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
	return type == SHT_RELA ? sizeof(Elf32_Rela) : sizeof(Elf32_Rel);
}

/* Symbol index of relocation i; all four kinds begin with r_offset and r_info. */
static uint64_t relocation_symbol(const struct plt *p, size_t i)
{
	const uint8_t *at =
		p->relocations.data + i * relocation_size(p->elf, p->relocations.header.sh_type);

	if (p->elf->is64) {
		Elf64_Rel rel;

		memcpy(&rel, at, sizeof(rel));
		return ELF64_R_SYM(rel.r_info);
	} else {
		Elf32_Rel rel;

		memcpy(&rel, at, sizeof(rel));
		return ELF32_R_SYM(rel.r_info);
	}
}

static bool find_relocations(struct plt *p)
{
	uint32_t type;

	if (!csg_elf_section_named(p->elf, ".rela.plt", &p->relocations) &&
	    !csg_elf_section_named(p->elf, ".rel.plt", &p->relocations))
		return false;
	type = p->relocations.header.sh_type;
	if ((type != SHT_RELA && type != SHT_REL) || !p->relocations.data ||
	    !p->relocations.header.sh_link ||
	    !csg_elf_section(p->elf, p->relocations.header.sh_link, &p->symbols) ||
	    !csg_elf_section(p->elf, p->symbols.header.sh_link, &p->strings))
		return false;
	p->count = p->relocations.header.sh_size / relocation_size(p->elf, type);
	return true;
}

static void find_sizes(struct plt *p)
{
	bool a64 = p->elf->header.e_machine == EM_AARCH64;
	uint64_t size = p->plt.header.sh_size;

	p->header_size = a64 ? 32 : 20;
	p->entry_size = a64 ? 16 : 12;
	if (!p->count)
		return;
	/* Without lazy binding (static programs) there is no header. */
	if (size == p->count * p->entry_size)
		p->header_size = 0;
	else if (a64 && size >= p->header_size + p->count * 24)
		p->entry_size = 24;
}

static int add_entry(struct csg_symtab *table, const struct plt *p, size_t i)
{
	uint64_t at = p->plt.header.sh_offset + p->header_size + i * p->entry_size;
	char text[NAME_MAX_PLT];
	const char *name = NULL;
	char *plain = NULL;
	GElf_Sym sym;

	if (csg_elf_symbol(p->elf, &p->symbols, relocation_symbol(p, i), &sym))
		name = csg_elf_string(&p->strings, sym.st_name);
	if (name && *name) {
		if (table->demangle)
			plain = csg_demangle(name);
		snprintf(text, sizeof(text), "%s@plt", plain ? plain : name);
		free(plain);
	} else {
		snprintf(text, sizeof(text), "offset_%#llx@plt", (unsigned long long)at);
	}
	return csg_symtab_add_copy(table, at, p->entry_size, text);
}

int csg_elf_plt_symbols(struct csg_symtab *table, const struct csg_elf *elf)
{
	struct plt p = {.elf = elf};
	struct csg_sym *before;
	int err = 0;

	if (!csg_elf_section_named(elf, ".plt", &p.plt) || !p.plt.data)
		return 0;
	find_relocations(&p);
	find_sizes(&p);
	/* The end of a symbol without a size before .plt was taken to be after it. */
	before = csg_symtab_find(table, p.plt.header.sh_offset);
	if (before && before->start < p.plt.header.sh_offset)
		before->end = p.plt.header.sh_offset;
	if (p.header_size)
		err = csg_symtab_add_copy(table, p.plt.header.sh_offset, p.header_size, ".plt");
	for (size_t i = 0; i < p.count && !err; i++) {
		if (p.header_size + (i + 1) * p.entry_size > p.plt.header.sh_size)
			break;
		err = add_entry(table, &p, i);
	}
	csg_symtab_finish(table);
	return err;
}
