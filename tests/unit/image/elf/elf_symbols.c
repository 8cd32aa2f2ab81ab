/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/elf/elf_symbols.h"

#include <string.h>

#include "image/elf_maker.h"
#include "suite.h"

static struct elf_maker m;
static struct csg_elf elf;
static struct csg_symtab table;

static size_t begin(void)
{
	elf_begin_file(&m, 0x400000);
	return elf_add_section(&m, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, NULL, 256);
}

static void end(enum csg_elf_terms terms)
{
	elf_end_file(&m, ET_EXEC, EM_AARCH64);
	memset(&table, 0, sizeof(table));
	CU_ASSERT_EQUAL_FATAL(csg_elf_open(&elf, m.bytes, m.size), 0);
	CU_ASSERT_EQUAL(csg_elf_symbols(&table, &elf, &elf, terms), 0);
}

static void close_all(void)
{
	csg_symtab_fini(&table);
	csg_elf_close(&elf);
}

static const char *at(uint64_t addr)
{
	struct csg_sym *sym = csg_symtab_find(&table, addr);

	return sym ? csg_symtab_name(&table, sym) : "-";
}

static void user_symbols_are_in_file_offsets_and_kernels_in_addresses(void)
{
	size_t text = begin();
	uint64_t addr = m.sections[text].sh_addr, offset = m.sections[text].sh_offset;

	elf_add_symbol(&m, "f", addr + 8, 8, STB_GLOBAL, STT_FUNC, text);
	end(CSG_ELF_OFFSETS);
	CU_ASSERT_STRING_EQUAL(at(offset + 8), "f");
	CU_ASSERT_STRING_EQUAL(at(addr + 8), "-");
	close_all();
	begin();
	elf_add_symbol(&m, "f", addr + 8, 8, STB_GLOBAL, STT_FUNC, text);
	end(CSG_ELF_ADDRESSES);
	CU_ASSERT_STRING_EQUAL(at(addr + 8), "f");
	CU_ASSERT_STRING_EQUAL(at(offset + 8), "-");
	close_all();
}

static void only_what_perf_takes_for_a_symbol_is_one(void)
{
	size_t text = begin(), comment = elf_add_section(&m, ".comment", SHT_PROGBITS, 0, NULL, 16);
	size_t odd = elf_add_section(&m, ".odd", SHT_PROGBITS, SHF_ALLOC, NULL, 256);
	uint64_t a = m.sections[text].sh_addr, o = m.sections[odd].sh_addr;

	elf_add_symbol(&m, "func", a, 8, STB_GLOBAL, STT_FUNC, text);
	elf_add_symbol(&m, "ifunc", a + 8, 8, STB_GLOBAL, STT_GNU_IFUNC, text);
	elf_add_symbol(&m, "object", a + 16, 8, STB_GLOBAL, STT_OBJECT, text);
	elf_add_symbol(&m, "label", a + 24, 8, STB_LOCAL, STT_NOTYPE, text);
	elf_add_symbol(&m, "hidden_label", a + 32, 8, STB_LOCAL, STT_NOTYPE, text);
	m.symbols[m.symbol_count - 1].st_other = STV_HIDDEN;
	elf_add_symbol(&m, "$x", a + 40, 8, STB_LOCAL, STT_NOTYPE, text);
	elf_add_symbol(&m, "$d.12", a + 48, 8, STB_LOCAL, STT_NOTYPE, text);
	elf_add_symbol(&m, "tls", a + 56, 8, STB_GLOBAL, STT_TLS, text);
	elf_add_symbol(&m, "undefined", a + 64, 8, STB_GLOBAL, STT_FUNC, SHN_UNDEF);
	elf_add_symbol(&m, "absolute", a + 72, 8, STB_GLOBAL, STT_FUNC, SHN_ABS);
	elf_add_symbol(&m, "not_loaded", 0, 8, STB_GLOBAL, STT_FUNC, comment);
	elf_add_symbol(&m, "odd_label", o, 8, STB_LOCAL, STT_NOTYPE, odd);
	elf_add_symbol(&m, "odd_func", o + 8, 8, STB_LOCAL, STT_FUNC, odd);
	end(CSG_ELF_ADDRESSES);
	CU_ASSERT_EQUAL(table.count, 5);
	CU_ASSERT_STRING_EQUAL(at(a), "func");
	CU_ASSERT_STRING_EQUAL(at(a + 8), "ifunc");
	CU_ASSERT_STRING_EQUAL(at(a + 16), "object");
	CU_ASSERT_STRING_EQUAL(at(a + 24), "label");
	CU_ASSERT_STRING_EQUAL(at(o + 8), "odd_func");
	close_all();
}

static void a_debug_file_is_placed_by_the_file_that_runs(void)
{
	static struct elf_maker code;
	struct csg_elf runs;
	size_t text = begin();
	uint64_t addr = m.sections[text].sh_addr, offset = m.sections[text].sh_offset;

	memcpy(&code, &m, sizeof(m));
	elf_end_file(&code, ET_DYN, EM_AARCH64);
	/* objcopy --only-keep-debug: no contents, other offsets. */
	begin();
	m.sections[text].sh_type = SHT_NOBITS;
	m.sections[text].sh_offset = 0x40;
	m.sections[text].sh_addr = addr;
	elf_add_symbol(&m, "f", addr + 8, 8, STB_GLOBAL, STT_FUNC, text);
	elf_end_file(&m, ET_DYN, EM_AARCH64);
	memset(&table, 0, sizeof(table));
	CU_ASSERT_EQUAL_FATAL(csg_elf_open(&elf, m.bytes, m.size), 0);
	CU_ASSERT_EQUAL_FATAL(csg_elf_open(&runs, code.bytes, code.size), 0);
	CU_ASSERT_EQUAL(csg_elf_symbols(&table, &elf, &runs, CSG_ELF_OFFSETS), 0);
	CU_ASSERT_STRING_EQUAL(at(offset + 8), "f");
	csg_elf_close(&runs);
	close_all();
}

static void thumb_functions_lose_their_bit(void)
{
	size_t text = begin();
	uint64_t addr = m.sections[text].sh_addr;

	elf_add_symbol(&m, "thumb", addr + 9, 8, STB_GLOBAL, STT_FUNC, text);
	elf_end_file(&m, ET_EXEC, EM_ARM);
	memset(&table, 0, sizeof(table));
	CU_ASSERT_EQUAL_FATAL(csg_elf_open(&elf, m.bytes, m.size), 0);
	csg_elf_symbols(&table, &elf, &elf, CSG_ELF_ADDRESSES);
	CU_ASSERT_STRING_EQUAL(at(addr + 8), "thumb");
	close_all();
}

static void addresses_follow_the_segments(void)
{
	uint64_t value;

	begin();
	end(CSG_ELF_OFFSETS);
	CU_ASSERT_TRUE(csg_elf_address(&elf, 0x10, &value));
	CU_ASSERT_EQUAL(value, 0x400010);
	CU_ASSERT_FALSE(csg_elf_address(&elf, 0x100000, &value));
	close_all();
}

static void a_symbols_value_is_found_by_name(void)
{
	size_t text = begin();
	uint64_t value;

	elf_add_symbol(&m, "_text", 0x400000, 0, STB_GLOBAL, STT_NOTYPE, text);
	end(CSG_ELF_ADDRESSES);
	CU_ASSERT_TRUE(csg_elf_symbol_value(&elf, "_text", &value));
	CU_ASSERT_EQUAL(value, 0x400000);
	CU_ASSERT_FALSE(csg_elf_symbol_value(&elf, "_stext", &value));
	close_all();
}

CSG_SUITE(image_elf, elf_symbols,
	  CSG_TEST(user_symbols_are_in_file_offsets_and_kernels_in_addresses),
	  CSG_TEST(only_what_perf_takes_for_a_symbol_is_one),
	  CSG_TEST(a_debug_file_is_placed_by_the_file_that_runs),
	  CSG_TEST(thumb_functions_lose_their_bit), CSG_TEST(addresses_follow_the_segments),
	  CSG_TEST(a_symbols_value_is_found_by_name));
