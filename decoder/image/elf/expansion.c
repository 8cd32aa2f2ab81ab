/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/elf/expansion.h"

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

/*
 * Whether libdw expands the section.  It was not asked for its DWARF yet: this file is another to
 * it.
 */
static bool is_readable(const struct csg_elf *elf, const struct csg_elf_section *section)
{
	Elf_Scn *own = elf_getscn(elf->elf, section->index);

	return own && elf_compress(own, 0, 0) >= 0;
}

/* The type of compression; 0: none, or zlib's, which every libdw reads. */
static uint32_t other_type(const struct csg_elf *elf, const struct csg_elf_section *section)
{
	const GElf_Shdr *h = &section->header;
	uint32_t type;

	if (!(h->sh_flags & SHF_COMPRESSED) || strncmp(section->name, ".debug_", 7) ||
	    h->sh_offset > elf->size || elf->size - h->sh_offset < sizeof(Elf64_Chdr))
		return 0;
	type = csg_le32(elf->data + h->sh_offset);
	return type == ELFCOMPRESS_ZLIB ? 0 : type;
}

uint32_t csg_unknown_compression(const struct csg_elf *elf, uint64_t *offset)
{
	struct csg_elf_section section, smallest = {0};
	uint32_t type;

	/* All have one type, as a rule; one is enough to see whether it can be read. */
	for (size_t i = 1; i < elf->sections; i++)
		if (csg_elf_section(elf, i, &section) && other_type(elf, &section) &&
		    (!smallest.index || section.header.sh_size < smallest.header.sh_size))
			smallest = section;
	if (!smallest.index)
		return 0;
	*offset = smallest.header.sh_offset;
	type = other_type(elf, &smallest);
	return is_readable(elf, &smallest) ? 0 : type;
}
