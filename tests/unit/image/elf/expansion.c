/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/elf/expansion.h"

#include "image/elf_maker.h"
#include "suite.h"

#define BASE 0x10000

static struct elf_maker m;

/* A file with a section of 64 bytes whose first 24 are these. */
static bool expands(const char *name, uint64_t flags, const void *header, uint64_t *offset)
{
	uint8_t bytes[64] = {0};
	struct csg_elf elf;
	bool much;

	memcpy(bytes, header, 24);
	elf_begin_file(&m, BASE);
	elf_add_section(&m, name, SHT_PROGBITS, flags, bytes, sizeof(bytes));
	elf_end_file(&m, ET_EXEC, EM_AARCH64);
	CU_ASSERT_EQUAL_FATAL(csg_elf_open(&elf, m.bytes, m.size), 0);
	much = csg_expands_too_much(&elf, offset);
	csg_elf_close(&elf);
	return much;
}

static void a_section_may_expand_to_what_zlib_makes_of_dwarf(void)
{
	Elf64_Chdr header = {.ch_type = ELFCOMPRESS_ZLIB, .ch_addralign = 1};
	uint64_t offset = 0;

	header.ch_size = CSG_EXPANSION_FREE;
	CU_ASSERT(!expands(".debug_line", SHF_COMPRESSED, &header, &offset));
	header.ch_size = CSG_EXPANSION_FREE + 1;
	CU_ASSERT(expands(".debug_line", SHF_COMPRESSED, &header, &offset));
	CU_ASSERT(offset > 0 && offset < m.size);
	CU_ASSERT(!expands(".debug_line", 0, &header, &offset));
	header.ch_size = UINT64_MAX;
	CU_ASSERT(expands(".anything", SHF_COMPRESSED, &header, &offset));
}

static void so_may_the_older_form(void)
{
	uint8_t header[24] = "ZLIB";
	uint64_t offset;

	header[8] = 1; /* 16 MB */
	CU_ASSERT(!expands(".zdebug_line", 0, header, &offset));
	header[11] = 1;
	CU_ASSERT(expands(".zdebug_line", 0, header, &offset));
	CU_ASSERT(!expands(".data", 0, header, &offset));
	header[0] = 'z';
	CU_ASSERT(!expands(".zdebug_line", 0, header, &offset));
}

/* The type of compression that a section of this name and type has and libdw does not know. */
static uint32_t unknown(const char *name, uint32_t type, uint64_t *offset)
{
	const Elf64_Chdr header = {.ch_type = type, .ch_size = 1000, .ch_addralign = 1};
	uint8_t bytes[64] = {0};
	struct csg_elf elf;
	uint32_t found;

	memcpy(bytes, &header, sizeof(header));
	elf_begin_file(&m, BASE);
	elf_add_section(&m, ".text", SHT_PROGBITS, 0, bytes, sizeof(bytes));
	elf_add_section(&m, name, SHT_PROGBITS, SHF_COMPRESSED, bytes, sizeof(bytes));
	elf_end_file(&m, ET_EXEC, EM_AARCH64);
	CU_ASSERT_EQUAL_FATAL(csg_elf_open(&elf, m.bytes, m.size), 0);
	found = csg_unknown_compression(&elf, offset);
	csg_elf_close(&elf);
	return found;
}

static void a_way_of_compression_that_libdw_does_not_know_is_named(void)
{
	uint64_t offset = 0;

	CU_ASSERT_EQUAL(unknown(".debug_line", 77, &offset), 77);
	CU_ASSERT(offset > 0 && offset < m.size);
	CU_ASSERT_EQUAL(unknown(".debug_line", ELFCOMPRESS_ZLIB, &offset), 0);
	CU_ASSERT_EQUAL(unknown(".anything", 77, &offset), 0);
}

CSG_SUITE(image_elf, expansion, CSG_TEST(a_section_may_expand_to_what_zlib_makes_of_dwarf),
	  CSG_TEST(so_may_the_older_form),
	  CSG_TEST(a_way_of_compression_that_libdw_does_not_know_is_named));
