/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/elf/elf_symbols.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"

/* The section headers of both files, read once for a whole symbol table. */
struct reader {
	struct csg_symtab *table;
	const struct csg_elf *elf, *code;
	enum csg_elf_terms terms;
	struct csg_elf_section *sections, *code_sections;
};

static struct csg_elf_section *all_sections(const struct csg_elf *elf)
{
	struct csg_elf_section *sections = calloc(elf->sections + 1, sizeof(*sections));

	for (size_t i = 0; sections && i < elf->sections; i++)
		csg_elf_section(elf, i, &sections[i]);
	return sections;
}

static bool mapping_symbol(const char *name)
{
	return name[0] == '$' && name[1] && strchr("adtx", name[1]) &&
	       (name[2] == 0 || name[2] == '.');
}

static bool function_or_object(const GElf_Sym *sym)
{
	int type = GELF_ST_TYPE(sym->st_info);

	return type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_OBJECT;
}

static bool label(const GElf_Sym *sym)
{
	int visibility = GELF_ST_VISIBILITY(sym->st_other);

	return GELF_ST_TYPE(sym->st_info) == STT_NOTYPE && visibility != STV_HIDDEN &&
	       visibility != STV_INTERNAL;
}

/* From the symbol's value to the terms of the table. */
static uint64_t translate(const struct reader *r, const struct csg_elf_section *section,
			  uint64_t value)
{
	if (r->terms == CSG_ELF_ADDRESSES)
		return value;
	for (size_t i = 0; i < r->code->load_count; i++) {
		const GElf_Phdr *load = &r->code->loads[i];

		if (value - load->p_vaddr < load->p_memsz)
			return value - load->p_vaddr + load->p_offset;
	}
	return value - section->header.sh_addr + section->header.sh_offset;
}

/* The section of the symbol, as the file that runs has it; NULL: not wanted. */
static const struct csg_elf_section *wanted(const struct reader *r, const GElf_Sym *sym,
					    const char *name)
{
	const struct csg_elf_section *section;

	if (!sym->st_name || sym->st_shndx == SHN_UNDEF || sym->st_shndx >= SHN_LORESERVE ||
	    sym->st_shndx >= r->elf->sections)
		return NULL;
	if (!function_or_object(sym) && !label(sym))
		return NULL;
	if (mapping_symbol(name))
		return NULL;
	section = &r->sections[sym->st_shndx];
	if (!(section->header.sh_flags & SHF_ALLOC))
		return NULL;
	if (section->header.sh_type == SHT_NOBITS && sym->st_shndx < r->code->sections)
		section = &r->code_sections[sym->st_shndx];
	if (!function_or_object(sym) && !strstr(section->name, "text") &&
	    !strstr(section->name, "data"))
		return NULL;
	return section;
}

static int add_symbols(const struct reader *r, const struct csg_elf_section *symbols)
{
	size_t count = csg_elf_symbol_count(r->elf, symbols);
	struct csg_elf_section strings;
	GElf_Sym sym;
	int err = 0;

	if (!csg_elf_section(r->elf, symbols->header.sh_link, &strings))
		return 0;
	for (size_t i = 1; i < count && !err; i++) {
		const struct csg_elf_section *section;
		const char *name;

		csg_elf_symbol(r->elf, symbols, i, &sym);
		name = csg_elf_string(&strings, sym.st_name);
		if (!name)
			continue;
		section = wanted(r, &sym, name);
		if (!section)
			continue;
		/* Thumb functions have bit 0 set in AArch32. */
		if (r->elf->header.e_machine == EM_ARM && GELF_ST_TYPE(sym.st_info) == STT_FUNC)
			sym.st_value &= ~(uint64_t)1;
		err = csg_symtab_add(r->table, translate(r, section, sym.st_value), sym.st_size,
				     GELF_ST_BIND(sym.st_info), 0, name);
	}
	return err;
}

int csg_elf_symbols(struct csg_symtab *table, const struct csg_elf *elf, const struct csg_elf *code,
		    enum csg_elf_terms terms)
{
	static const struct {
		const char *name;
		uint32_t type;
	} tables[] = {{".symtab", SHT_SYMTAB}, {".dynsym", SHT_DYNSYM}};
	struct reader r = {.table = table, .elf = elf, .code = code, .terms = terms};
	struct csg_elf_section symbols;
	int err;

	r.sections = all_sections(elf);
	r.code_sections = all_sections(code);
	err = r.sections && r.code_sections ? 0 : -CSG_E_NO_MEMORY;
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables) && !err; i++) {
		if (!csg_elf_section_named(elf, tables[i].name, &symbols) ||
		    symbols.header.sh_type != tables[i].type)
			continue;
		err = add_symbols(&r, &symbols);
		/* perf finishes after each table, and so do we: ends depend on it. */
		if (!err)
			csg_symtab_finish(table);
	}
	free(r.sections);
	free(r.code_sections);
	return err;
}

bool csg_elf_symbol_value(const struct csg_elf *elf, const char *name, uint64_t *value)
{
	struct csg_elf_section symbols, strings;
	size_t count;
	GElf_Sym sym;

	if (!csg_elf_section_named(elf, ".symtab", &symbols) ||
	    !csg_elf_section(elf, symbols.header.sh_link, &strings))
		return false;
	count = csg_elf_symbol_count(elf, &symbols);
	for (size_t i = 1; i < count; i++) {
		const char *own;

		csg_elf_symbol(elf, &symbols, i, &sym);
		own = csg_elf_string(&strings, sym.st_name);
		if (own && sym.st_shndx != SHN_UNDEF && !strcmp(own, name)) {
			*value = sym.st_value;
			return true;
		}
	}
	return false;
}

bool csg_elf_address(const struct csg_elf *elf, uint64_t offset, uint64_t *address)
{
	for (size_t i = 0; i < elf->load_count; i++) {
		const GElf_Phdr *load = &elf->loads[i];

		if (offset - load->p_offset < load->p_filesz) {
			*address = offset - load->p_offset + load->p_vaddr;
			return true;
		}
	}
	return false;
}
