/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "image/elf/elf_symbols.h"
#include "image/elf_maker.h"
#include "suite.h"

static struct elf_maker m;
static uint64_t plt_offset;

/* .plt of a size, relocations of "puts", of nothing, and of "_Z3fooi". */
static void make(size_t plt_size, size_t entsize_lie)
{
	Elf64_Rela relocations[3] = {{.r_info = ELF64_R_INFO(1, R_AARCH64_JUMP_SLOT)},
				     {.r_info = ELF64_R_INFO(0, R_AARCH64_IRELATIVE)},
				     {.r_info = ELF64_R_INFO(2, R_AARCH64_JUMP_SLOT)}};
	size_t init, plt, rela;

	elf_begin_file(&m, 0);
	init = elf_add_section(&m, ".init", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, NULL, 32);
	plt = elf_add_section(&m, ".plt", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, NULL, plt_size);
	rela = elf_add_section(&m, ".rela.plt", SHT_RELA, SHF_ALLOC, relocations,
			       sizeof(relocations));
	plt_offset = m.sections[plt].sh_offset;
	elf_add_symbol(&m, "puts", 0, 0, STB_GLOBAL, STT_FUNC, SHN_UNDEF);
	elf_add_symbol(&m, "_Z3fooi", 0, 0, STB_GLOBAL, STT_FUNC, SHN_UNDEF);
	elf_add_symbol(&m, "_init", m.sections[init].sh_addr, 0, STB_GLOBAL, STT_FUNC, init);
	/* .strtab and .symtab come after it. */
	m.sections[rela].sh_link = (uint32_t)m.section_count + 1;
	m.sections[rela].sh_entsize = entsize_lie;
	elf_end_file(&m, ET_DYN, EM_AARCH64);
}

static void check(const char *const *names, size_t step, size_t count)
{
	struct csg_symtab table = {.demangle = true};
	struct csg_elf elf;

	CU_ASSERT_EQUAL_FATAL(csg_elf_open(&elf, m.bytes, m.size), 0);
	CU_ASSERT_EQUAL(csg_elf_symbols(&table, &elf, &elf, CSG_ELF_OFFSETS), 0);
	CU_ASSERT_EQUAL(csg_elf_plt_symbols(&table, &elf), 0);
	for (size_t i = 0; i < count; i++) {
		struct csg_sym *sym = csg_symtab_find(&table, plt_offset + i * step);

		CU_ASSERT_STRING_EQUAL(sym ? csg_symtab_name(&table, sym) : "-", names[i]);
	}
	csg_symtab_fini(&table);
	csg_elf_close(&elf);
}

static char unnamed[64];

static const char *offset_name(uint64_t offset)
{
	snprintf(unnamed, sizeof(unnamed), "offset_%#llx@plt", (unsigned long long)offset);
	return unnamed;
}

static void entries_are_named_after_the_header(void)
{
	make(32 + 3 * 16, 24);
	check((const char *[]){".plt", ".plt", "puts@plt", offset_name(plt_offset + 48), "foo@plt",
			       "-"},
	      16, 6);
}

static void entries_with_bti_are_longer(void)
{
	make(32 + 3 * 24, 24);
	check((const char *[]){".plt", ".plt", ".plt", ".plt", "puts@plt", "puts@plt", "puts@plt",
			       offset_name(plt_offset + 32 + 24), unnamed, unnamed, "foo@plt"},
	      8, 11);
}

static void a_static_programs_plt_has_no_header(void)
{
	make(3 * 16, 24);
	check((const char *[]){"puts@plt", offset_name(plt_offset + 16), "foo@plt", "-"}, 16, 4);
}

static void entries_do_not_reach_after_the_section(void)
{
	make(32 + 2 * 16, 0);
	check((const char *[]){".plt", ".plt", "puts@plt", offset_name(plt_offset + 48), "-"}, 16,
	      5);
}

CSG_SUITE(image_elf, elf_plt, CSG_TEST(entries_are_named_after_the_header),
	  CSG_TEST(entries_with_bti_are_longer), CSG_TEST(a_static_programs_plt_has_no_header),
	  CSG_TEST(entries_do_not_reach_after_the_section));
