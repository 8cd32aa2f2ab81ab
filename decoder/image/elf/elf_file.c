/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/elf/elf_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "image/elf/build_id_note.h"

static bool inside(const struct csg_elf *elf, uint64_t offset, uint64_t size)
{
	return offset <= elf->size && size <= elf->size - offset;
}

static int check_header(struct csg_elf *elf)
{
	const unsigned char *ident = elf->header.e_ident;

	if (ident[EI_DATA] == ELFDATA2MSB)
		return -CSG_E_FOREIGN_ENDIAN;
	if (ident[EI_DATA] != ELFDATA2LSB)
		return -CSG_E_CORRUPT;
	if (elf->header.e_machine != EM_AARCH64 && elf->header.e_machine != EM_ARM)
		return -CSG_E_FOREIGN_ARCH;
	elf->is64 = ident[EI_CLASS] == ELFCLASS64;
	/* A file cut short may have lost its section headers: its segments are still good. */
	if (elf_getshdrnum(elf->elf, &elf->sections) || elf_getshdrstrndx(elf->elf, &elf->names)) {
		elf->sections = 0;
		elf->names = 0;
	}
	if (elf_getphdrnum(elf->elf, &elf->segments))
		elf->segments = 0;
	if (!elf->sections && !elf->segments)
		return -CSG_E_CORRUPT;
	return 0;
}

/* Addresses are translated often: the segments that do it are kept. */
static int keep_loads(struct csg_elf *elf)
{
	GElf_Phdr segment;

	elf->loads = calloc(elf->segments + 1, sizeof(*elf->loads));
	if (!elf->loads)
		return -CSG_E_NO_MEMORY;
	for (size_t i = 0; i < elf->segments; i++)
		if (csg_elf_segment(elf, i, &segment) && segment.p_type == PT_LOAD)
			elf->loads[elf->load_count++] = segment;
	return 0;
}

int csg_elf_open(struct csg_elf *elf, const uint8_t *data, size_t size)
{
	int err;

	*elf = (struct csg_elf){.data = data, .size = size};
	if (size < EI_NIDENT || memcmp(data, ELFMAG, SELFMAG))
		return -CSG_E_BAD_MAGIC;
	if (elf_version(EV_CURRENT) == EV_NONE)
		return -CSG_E_INTERNAL;
	errno = 0;
	/* libelf only reads through this pointer: the mapping is read-only. */
	elf->elf = elf_memory((char *)data, size);
	if (!elf->elf || elf_kind(elf->elf) != ELF_K_ELF || !gelf_getehdr(elf->elf, &elf->header)) {
		csg_elf_close(elf);
		return errno == ENOMEM ? -CSG_E_NO_MEMORY : -CSG_E_CORRUPT;
	}
	err = check_header(elf);
	if (errno == ENOMEM)
		err = -CSG_E_NO_MEMORY;
	if (!err)
		err = keep_loads(elf);
	if (err)
		csg_elf_close(elf);
	return err;
}

void csg_elf_close(struct csg_elf *elf)
{
	if (elf->elf)
		elf_end(elf->elf);
	free(elf->loads);
	elf->elf = NULL;
	elf->loads = NULL;
	elf->load_count = 0;
}

const char *csg_elf_string(const struct csg_elf_section *table, uint64_t offset)
{
	const char *s;

	if (!table->data || offset >= table->header.sh_size)
		return NULL;
	s = (const char *)table->data + offset;
	return memchr(s, 0, table->header.sh_size - offset) ? s : NULL;
}

/* Header and contents, without the name. */
static bool raw_section(const struct csg_elf *elf, size_t index, struct csg_elf_section *section)
{
	Elf_Scn *scn;

	*section = (struct csg_elf_section){.name = "", .index = index};
	if (index >= elf->sections)
		return false;
	scn = elf_getscn(elf->elf, index);
	if (!scn || !gelf_getshdr(scn, &section->header))
		return false;
	if (section->header.sh_type != SHT_NOBITS && section->header.sh_type != SHT_NULL &&
	    !(section->header.sh_flags & SHF_COMPRESSED) &&
	    inside(elf, section->header.sh_offset, section->header.sh_size))
		section->data = elf->data + section->header.sh_offset;
	return true;
}

bool csg_elf_section(const struct csg_elf *elf, size_t index, struct csg_elf_section *section)
{
	struct csg_elf_section names;
	const char *name;

	if (!raw_section(elf, index, section))
		return false;
	if (elf->names && raw_section(elf, elf->names, &names)) {
		name = csg_elf_string(&names, section->header.sh_name);
		if (name)
			section->name = name;
	}
	return true;
}

bool csg_elf_section_named(const struct csg_elf *elf, const char *name,
			   struct csg_elf_section *section)
{
	for (size_t i = 1; i < elf->sections; i++)
		if (csg_elf_section(elf, i, section) && !strcmp(section->name, name))
			return true;
	return false;
}

bool csg_elf_segment(const struct csg_elf *elf, size_t index, GElf_Phdr *segment)
{
	if (index >= elf->segments || index > INT32_MAX ||
	    !gelf_getphdr(elf->elf, (int)index, segment))
		return false;
	return inside(elf, segment->p_offset, segment->p_filesz) &&
	       segment->p_vaddr + segment->p_memsz >= segment->p_vaddr;
}

static size_t symbol_size(const struct csg_elf *elf)
{
	return elf->is64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
}

size_t csg_elf_symbol_count(const struct csg_elf *elf, const struct csg_elf_section *table)
{
	return table->data ? table->header.sh_size / symbol_size(elf) : 0;
}

bool csg_elf_symbol(const struct csg_elf *elf, const struct csg_elf_section *table, size_t index,
		    GElf_Sym *symbol)
{
	if (index >= csg_elf_symbol_count(elf, table))
		return false;
	if (elf->is64) {
		memcpy(symbol, table->data + index * sizeof(Elf64_Sym), sizeof(*symbol));
	} else {
		Elf32_Sym sym;

		memcpy(&sym, table->data + index * sizeof(sym), sizeof(sym));
		*symbol = (GElf_Sym){.st_name = sym.st_name,
				     .st_value = sym.st_value,
				     .st_size = sym.st_size,
				     .st_info = sym.st_info,
				     .st_other = sym.st_other,
				     .st_shndx = sym.st_shndx};
	}
	return true;
}

bool csg_elf_build_id(const struct csg_elf *elf, struct csg_build_id *id)
{
	/* perf's order (symbol-elf.c, elf_read_build_id): the kernel's is in ".notes". */
	static const char *const places[] = {".note.gnu.build-id", ".notes", ".note"};
	struct csg_elf_section section;
	GElf_Phdr segment;

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
		if (csg_elf_section_named(elf, places[i], &section) && section.data &&
		    csg_build_id_find(section.data, section.header.sh_size,
				      section.header.sh_addralign, id))
			return true;
	for (size_t i = 0; i < elf->segments; i++)
		if (csg_elf_segment(elf, i, &segment) && segment.p_type == PT_NOTE &&
		    csg_build_id_find(elf->data + segment.p_offset, segment.p_filesz,
				      segment.p_align, id))
			return true;
	return false;
}
