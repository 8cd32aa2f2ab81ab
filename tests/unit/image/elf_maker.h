/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes small AArch64 ELF files in memory: one PT_LOAD over the file's first bytes, sections
 * with the contents given, a symbol table.  What a test wants broken, it breaks in the bytes.
 */
#ifndef TESTS_UNIT_IMAGE_ELF_MAKER_H
#define TESTS_UNIT_IMAGE_ELF_MAKER_H

#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define ELF_MAKER_SECTIONS 12
#define ELF_MAKER_SYMBOLS 32

struct elf_maker {
	uint8_t bytes[32768];
	size_t size; /* so far */
	Elf64_Shdr sections[ELF_MAKER_SECTIONS];
	size_t section_count;
	char names[512], strings[1024];
	size_t names_size, strings_size;
	Elf64_Sym symbols[ELF_MAKER_SYMBOLS];
	size_t symbol_count;
	uint64_t base;	    /* virtual address of the file's first byte */
	uint64_t load_size; /* the PT_LOAD's p_memsz; 0: what is in the file */
};

static inline void elf_begin_file(struct elf_maker *m, uint64_t base)
{
	memset(m, 0, sizeof(*m));
	m->size = sizeof(Elf64_Ehdr) + 2 * sizeof(Elf64_Phdr);
	m->section_count = 1;
	m->names_size = m->strings_size = 1;
	m->symbol_count = 1;
	m->base = base;
}

/* Returns the section's index. */
static inline size_t elf_add_section(struct elf_maker *m, const char *name, uint32_t type,
				     uint64_t flags, const void *data, size_t size)
{
	Elf64_Shdr *section = &m->sections[m->section_count];

	m->size = (m->size + 15) & ~(size_t)15;
	section->sh_name = (uint32_t)m->names_size;
	strcpy(m->names + m->names_size, name);
	m->names_size += strlen(name) + 1;
	section->sh_type = type;
	section->sh_flags = flags;
	section->sh_addr = flags & SHF_ALLOC ? m->base + m->size : 0;
	section->sh_offset = m->size;
	section->sh_size = size;
	section->sh_addralign = 4;
	if (type != SHT_NOBITS && size) {
		if (data)
			memcpy(m->bytes + m->size, data, size);
		m->size += size;
	}
	return m->section_count++;
}

static inline void elf_add_build_id(struct elf_maker *m, const uint8_t id[20])
{
	struct {
		Elf64_Nhdr header;
		char name[4];
		uint8_t id[20];
	} note = {{4, 20, NT_GNU_BUILD_ID}, "GNU", {0}};

	memcpy(note.id, id, 20);
	elf_add_section(m, ".note.gnu.build-id", SHT_NOTE, SHF_ALLOC, &note, sizeof(note));
}

static inline void elf_add_symbol(struct elf_maker *m, const char *name, uint64_t value,
				  uint64_t size, int bind, int type, size_t section)
{
	Elf64_Sym *sym = &m->symbols[m->symbol_count++];

	sym->st_name = (uint32_t)m->strings_size;
	strcpy(m->strings + m->strings_size, name);
	m->strings_size += strlen(name) + 1;
	sym->st_value = value;
	sym->st_size = size;
	sym->st_info = ELF64_ST_INFO(bind, type);
	sym->st_shndx = (uint16_t)section;
}

/* Writes the tables and headers; the file is bytes[0 .. size - 1]. */
static inline void elf_end_file(struct elf_maker *m, uint16_t type, uint16_t machine)
{
	Elf64_Ehdr header = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
			     .e_type = type,
			     .e_machine = machine,
			     .e_version = EV_CURRENT,
			     .e_phoff = sizeof(Elf64_Ehdr),
			     .e_ehsize = sizeof(Elf64_Ehdr),
			     .e_phentsize = sizeof(Elf64_Phdr),
			     .e_phnum = 1,
			     .e_shentsize = sizeof(Elf64_Shdr)};
	Elf64_Phdr load = {.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_align = 0x1000};
	size_t strtab, names;

	load.p_vaddr = load.p_paddr = m->base;
	load.p_filesz = m->size;
	load.p_memsz = m->load_size ? m->load_size : m->size;
	if (m->symbol_count > 1) {
		strtab = elf_add_section(m, ".strtab", SHT_STRTAB, 0, m->strings, m->strings_size);
		elf_add_section(m, ".symtab", SHT_SYMTAB, 0, m->symbols,
				m->symbol_count * sizeof(Elf64_Sym));
		m->sections[m->section_count - 1].sh_link = (uint32_t)strtab;
		m->sections[m->section_count - 1].sh_entsize = sizeof(Elf64_Sym);
	}
	names = elf_add_section(m, ".shstrtab", SHT_STRTAB, 0, NULL, sizeof(m->names));
	memcpy(m->bytes + m->sections[names].sh_offset, m->names, sizeof(m->names));
	m->size = (m->size + 15) & ~(size_t)15;
	header.e_shoff = m->size;
	header.e_shnum = (uint16_t)m->section_count;
	header.e_shstrndx = (uint16_t)names;
	memcpy(m->bytes + m->size, m->sections, m->section_count * sizeof(Elf64_Shdr));
	m->size += m->section_count * sizeof(Elf64_Shdr);
	memcpy(m->bytes, &header, sizeof(header));
	memcpy(m->bytes + sizeof(header), &load, sizeof(load));
}

/* The PT_LOAD is that section alone, at the address of the file's first byte; of a file that is
 * ended. */
static inline void elf_load_section(struct elf_maker *m, size_t section)
{
	Elf64_Phdr load;

	memcpy(&load, m->bytes + sizeof(Elf64_Ehdr), sizeof(load));
	load.p_offset = m->sections[section].sh_offset;
	load.p_filesz = load.p_memsz = m->sections[section].sh_size;
	memcpy(m->bytes + sizeof(Elf64_Ehdr), &load, sizeof(load));
}

/* Writes it to a file; 0 on success. */
static inline int elf_write_file(const struct elf_maker *m, const char *path)
{
	FILE *f = fopen(path, "wb");
	int err;

	if (!f)
		return -1;
	err = fwrite(m->bytes, 1, m->size, f) != m->size;
	return fclose(f) || err;
}

#endif
