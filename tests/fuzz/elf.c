/* SPDX-License-Identifier: BSD-3-Clause */
/* ELF files: headers, sections, segments, build ID, symbols, procedure linkage table; copies of
 * kcore. */
#include "fuzz/input.h"
#include "image/elf/elf_file.h"
#include "image/elf/elf_symbols.h"
#include "image/elf/kcore.h"

#define SOME 300 /* sections, segments, symbols that are looked at one by one */

static void look_at_sections(const struct csg_elf *elf)
{
	struct csg_elf_section section;
	GElf_Phdr segment;
	GElf_Sym symbol;

	for (size_t i = 0; i < elf->sections && i < SOME; i++) {
		if (!csg_elf_section(elf, i, &section))
			continue;
		fuzz_touch_string(section.name);
		if (section.data)
			fuzz_touch(section.data, section.header.sh_size);
		for (uint64_t offset = 0; offset < 8; offset++)
			fuzz_touch_string(csg_elf_string(&section, offset));
		for (size_t k = 0; k < csg_elf_symbol_count(elf, &section) && k < SOME; k++)
			csg_elf_symbol(elf, &section, k, &symbol);
	}
	for (size_t i = 0; i < elf->segments && i < SOME; i++)
		if (csg_elf_segment(elf, i, &segment))
			fuzz_require(segment.p_offset <= elf->size &&
					     segment.p_filesz <= elf->size - segment.p_offset,
				     "a segment lies in the file");
}

static void look_at_symbols(const struct csg_elf *elf, enum csg_elf_terms terms)
{
	struct csg_symtab table;
	struct csg_sym *sym;

	memset(&table, 0, sizeof(table));
	table.demangle = true;
	csg_elf_symbols(&table, elf, elf, terms);
	if (terms == CSG_ELF_OFFSETS)
		csg_elf_plt_symbols(&table, elf);
	for (size_t i = 0; i < table.count && i < SOME; i++) {
		sym = csg_symtab_find(&table, table.syms[i].start);
		if (sym)
			fuzz_touch_string(csg_symtab_name(&table, sym));
	}
	csg_symtab_fini(&table);
}

static void look_at_elf(const uint8_t *data, size_t size)
{
	struct csg_build_id id;
	struct csg_elf elf;
	uint64_t value;

	if (csg_elf_open(&elf, data, size))
		return;
	look_at_sections(&elf);
	look_at_symbols(&elf, CSG_ELF_OFFSETS);
	look_at_symbols(&elf, CSG_ELF_ADDRESSES);
	csg_elf_build_id(&elf, &id);
	csg_elf_symbol_value(&elf, "_text", &value);
	csg_elf_address(&elf, elf.header.e_entry, &value);
	csg_elf_close(&elf);
}

static void look_at_kcore(const char *path)
{
	const struct csg_kcore_segment *found;
	struct csg_kcore kcore;

	if (csg_kcore_open(&kcore, path))
		return;
	for (size_t i = 0; i < kcore.count; i++) {
		fuzz_touch(kcore.segments[i].bytes, kcore.segments[i].size);
		found = csg_kcore_find(&kcore, kcore.segments[i].start);
		fuzz_require(found && kcore.segments[i].start - found->start < found->size,
			     "a segment found covers the address");
	}
	csg_kcore_close(&kcore);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	look_at_elf(data, size);
	look_at_kcore(fuzz_file(data, size));
	return 0;
}
