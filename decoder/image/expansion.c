/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/expansion.h"

#include <dwarf.h>
#include <gelf.h>
#include <string.h>

#include "util/bytes.h"

#define ZDEBUG_HEADER 12 /* "ZLIB" and a size, its first byte the highest */

/* The size that the section expands to; 0: it is not compressed. */
static uint64_t expanded(const struct csg_elf *elf, const struct csg_elf_section *section)
{
	const GElf_Shdr *h = &section->header;
	const uint8_t *p = elf->data + h->sh_offset;
	uint64_t size = 0;

	if (h->sh_offset > elf->size || elf->size - h->sh_offset < sizeof(Elf64_Chdr) ||
	    h->sh_size < ZDEBUG_HEADER)
		return 0;
	if (h->sh_flags & SHF_COMPRESSED)
		return elf->is64 ? csg_le64(p + 8) : csg_le32(p + 4);
	if (strncmp(section->name, ".zdebug", 7) || memcmp(p, "ZLIB", 4))
		return 0;
	for (int i = 4; i < ZDEBUG_HEADER; i++)
		size = size << 8 | p[i];
	return size;
}

bool csg_expands_too_much(const struct csg_elf *elf, uint64_t *offset)
{
	for (size_t i = 1; i < elf->sections; i++) {
		struct csg_elf_section section;
		uint64_t size;

		if (!csg_elf_section(elf, i, &section))
			continue;
		size = expanded(elf, &section);
		*offset = section.header.sh_offset;
		if (size > CSG_EXPANSION_FREE &&
		    size / CSG_EXPANSION_TIMES > section.header.sh_size)
			return true;
	}
	return false;
}

/* The contents of .debug_line, expanded; NULL: none. */
static const Elf_Data *line_programs(Elf *elf)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		const char *name = gelf_getshdr(section, &header)
					   ? elf_strptr(elf, names, header.sh_name)
					   : NULL;

		if (name && (!strcmp(name, ".debug_line") || !strcmp(name, ".zdebug_line")))
			return elf_getdata(section, NULL);
	}
	return NULL;
}

bool csg_line_program_is_too_long(Dwarf *dwarf, Dwarf_Die *unit, uint64_t *offset)
{
	const Elf_Data *data = line_programs(dwarf_getelf(dwarf));
	Dwarf_Attribute attribute;
	Dwarf_Word at;
	uint64_t length;
	const uint8_t *p;

	if (!data || !data->d_buf || !dwarf_attr(unit, DW_AT_stmt_list, &attribute) ||
	    dwarf_formudata(&attribute, &at) || data->d_size < 12 || at > data->d_size - 12)
		return false;
	p = (const uint8_t *)data->d_buf + at;
	length = csg_le32(p);
	*offset = at;
	return (length == UINT32_MAX ? csg_le64(p + 4) : length) > CSG_LINE_PROGRAM_MAX;
}
