/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/elf/elf_file.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "image/elf/elf_symbols.h"
#include "image/elf_maker.h"
#include "suite.h"

static const uint8_t id[20] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
			       11, 12, 13, 14, 15, 16, 17, 18, 19, 20};

static void make(struct elf_maker *m)
{
	size_t text;

	elf_begin_file(m, 0x400000);
	elf_add_build_id(m, id);
	text = elf_add_section(m, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, NULL, 64);
	elf_add_section(m, ".plt", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, NULL, 64);
	elf_add_symbol(m, "main", m->sections[text].sh_addr, 16, STB_GLOBAL, STT_FUNC, text);
	elf_add_symbol(m, "other", m->sections[text].sh_addr + 16, 0, STB_LOCAL, STT_FUNC, text);
	elf_end_file(m, ET_DYN, EM_AARCH64);
}

/* Everything that is ever read of a file. */
static void read_all(const uint8_t *bytes, size_t size)
{
	struct csg_symtab table = {.demangle = true};
	struct csg_elf_section section;
	struct csg_build_id found;
	struct csg_elf elf;
	uint64_t value;

	if (csg_elf_open(&elf, bytes, size))
		return;
	for (size_t i = 0; i < elf.sections; i++)
		csg_elf_section(&elf, i, &section);
	csg_elf_build_id(&elf, &found);
	csg_elf_symbols(&table, &elf, &elf, CSG_ELF_OFFSETS);
	csg_elf_plt_symbols(&table, &elf);
	for (size_t i = 0; i < table.count; i++)
		csg_symtab_name(&table, &table.syms[i]);
	csg_symtab_find(&table, 0x100);
	csg_elf_symbol_value(&elf, "none", &value);
	csg_elf_address(&elf, 0, &value);
	csg_symtab_fini(&table);
	csg_elf_close(&elf);
}

static void sections_segments_and_the_build_id_are_found(void)
{
	static struct elf_maker m;
	struct csg_elf_section section;
	struct csg_build_id found;
	struct csg_elf elf;
	GElf_Phdr load;

	make(&m);
	CU_ASSERT_EQUAL_FATAL(csg_elf_open(&elf, m.bytes, m.size), 0);
	CU_ASSERT_TRUE(csg_elf_section_named(&elf, ".text", &section));
	CU_ASSERT_PTR_EQUAL(section.data, m.bytes + section.header.sh_offset);
	CU_ASSERT_FALSE(csg_elf_section_named(&elf, ".bss", &section));
	CU_ASSERT_TRUE(csg_elf_build_id(&elf, &found));
	CU_ASSERT_EQUAL(memcmp(found.bytes, id, 20), 0);
	CU_ASSERT_TRUE(csg_elf_segment(&elf, 0, &load));
	CU_ASSERT_EQUAL(load.p_vaddr, 0x400000);
	CU_ASSERT_FALSE(csg_elf_segment(&elf, 1, &load));
	csg_elf_close(&elf);
}

static void a_build_id_is_found_in_a_segment_where_sections_are_gone(void)
{
	static struct elf_maker m;
	Elf64_Phdr note = {.p_type = PT_NOTE, .p_filesz = 36, .p_align = 4};
	struct csg_build_id found;
	struct csg_elf elf;
	Elf64_Ehdr header;

	make(&m);
	note.p_offset = m.sections[1].sh_offset;
	memcpy(m.bytes + sizeof(header), &note, sizeof(note));
	memcpy(&header, m.bytes, sizeof(header));
	header.e_shoff = header.e_shnum = header.e_shstrndx = 0;
	memcpy(m.bytes, &header, sizeof(header));
	CU_ASSERT_EQUAL_FATAL(csg_elf_open(&elf, m.bytes, m.size), 0);
	CU_ASSERT_TRUE(csg_elf_build_id(&elf, &found));
	CU_ASSERT_EQUAL(found.bytes[19], 20);
	csg_elf_close(&elf);
}

static void other_files_are_distinguished(void)
{
	static struct elf_maker m;
	struct csg_elf elf;

	make(&m);
	CU_ASSERT_EQUAL(csg_elf_open(&elf, (const uint8_t *)"#!/bin/sh and more", 18),
			-CSG_E_BAD_MAGIC);
	CU_ASSERT_EQUAL(csg_elf_open(&elf, NULL, 0), -CSG_E_BAD_MAGIC);
	m.bytes[18] = EM_X86_64;
	CU_ASSERT_EQUAL(csg_elf_open(&elf, m.bytes, m.size), -CSG_E_FOREIGN_ARCH);
	make(&m);
	m.bytes[EI_DATA] = ELFDATA2MSB;
	CU_ASSERT_EQUAL(csg_elf_open(&elf, m.bytes, m.size), -CSG_E_FOREIGN_ENDIAN);
}

static void a_file_cut_at_any_byte_does_no_harm(void)
{
	static struct elf_maker m;

	make(&m);
	for (size_t cut = 0; cut < m.size; cut++) {
		/* In memory of just that size, so that the sanitizer sees what reads after. */
		uint8_t *copy = malloc(cut ? cut : 1);

		memcpy(copy, m.bytes, cut);
		read_all(copy, cut);
		free(copy);
	}
}

static void headers_that_lie_do_no_harm(void)
{
	static struct elf_maker m, good;
	static const uint64_t lies[] = {0,	    1,		0xff,		0xffff,
					0x7fffffff, 0xffffffff, UINT64_MAX / 2, UINT64_MAX};

	make(&good);
	srand(3);
	for (int i = 0; i < 4000; i++) {
		uint8_t *copy = malloc(good.size);
		size_t size = 1u << rand() % 4, at;

		m = good;
		/* Headers of file, segments and sections; symbols; notes. */
		at = rand() % 3 ? good.size - rand() % (good.section_count * sizeof(Elf64_Shdr)) - 1
				: (size_t)rand() % 0x100;
		if (at + size > good.size)
			at = good.size - size;
		memcpy(m.bytes + at, &lies[rand() % 8], size);
		memcpy(copy, m.bytes, m.size);
		read_all(copy, m.size);
		free(copy);
	}
}

static void a_string_must_end_in_its_table(void)
{
	struct csg_elf_section table = {.data = (const uint8_t *)"ab\0cd", .header.sh_size = 5};

	CU_ASSERT_STRING_EQUAL(csg_elf_string(&table, 0), "ab");
	CU_ASSERT_STRING_EQUAL(csg_elf_string(&table, 2), "");
	CU_ASSERT_PTR_NULL(csg_elf_string(&table, 3));
	CU_ASSERT_PTR_NULL(csg_elf_string(&table, 5));
	CU_ASSERT_PTR_NULL(csg_elf_string(&table, UINT64_MAX));
}

CSG_SUITE(image_elf, elf_file, CSG_TEST(sections_segments_and_the_build_id_are_found),
	  CSG_TEST(a_build_id_is_found_in_a_segment_where_sections_are_gone),
	  CSG_TEST(other_files_are_distinguished), CSG_TEST(a_file_cut_at_any_byte_does_no_harm),
	  CSG_TEST(headers_that_lie_do_no_harm), CSG_TEST(a_string_must_end_in_its_table));
