/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/elf/dwarf_bounds.h"

#include <gelf.h>
#include <stdlib.h>

#include "image/elf_maker.h"
#include "suite.h"

static struct elf_maker m;

struct dwarf {
	Elf *elf;
	Dwarf *dwarf;
};

static void open_sections(struct dwarf *d, const void *abbrev, size_t abbrev_size, const void *info,
			  size_t info_size, const void *line, size_t line_size)
{
	elf_begin_file(&m, 0);
	elf_add_section(&m, ".debug_abbrev", SHT_PROGBITS, 0, abbrev, abbrev_size);
	elf_add_section(&m, ".debug_info", SHT_PROGBITS, 0, info, info_size);
	if (line)
		elf_add_section(&m, ".debug_line", SHT_PROGBITS, 0, line, line_size);
	elf_end_file(&m, ET_EXEC, EM_AARCH64);
	elf_version(EV_CURRENT);
	d->elf = elf_memory((char *)m.bytes, m.size);
	CU_ASSERT_PTR_NOT_NULL_FATAL(d->elf);
	d->dwarf = dwarf_begin_elf(d->elf, DWARF_C_READ, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(d->dwarf);
}

static void close_sections(struct dwarf *d)
{
	dwarf_end(d->dwarf);
	elf_end(d->elf);
}

/* A unit with nothing but an entry: DWARF 4 and 5. */
static const uint8_t unit4[] = {8, 0, 0, 0, 4, 0, 0, 0, 0, 0, 8, 1};
static const uint8_t unit5[] = {9, 0, 0, 0, 5, 0, 1, 8, 0, 0, 0, 0, 1};

/* A type's: a signature, and where the type is. */
static const uint8_t type5[] = {21, 0, 0, 0, 5, 0, 2, 8, 0, 0, 0, 0, 2,
				2,  2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1};

/* The excess of 1,000 such units in a file that is said to have size bytes. */
static const char *excess_of(const uint8_t *unit, size_t unit_size, const void *abbrev,
			     size_t abbrev_size, uint64_t size, uint64_t *offset)
{
	static uint8_t info[25000];
	struct dwarf d;
	const char *excess;

	for (size_t i = 0; i < 1000; i++)
		memcpy(info + i * unit_size, unit, unit_size);
	open_sections(&d, abbrev, abbrev_size, info, 1000 * unit_size, NULL, 0);
	excess = csg_dwarf_units_excess(d.dwarf, size, offset);
	close_sections(&d);
	return excess;
}

static void abbreviations_before_a_units_own_are_counted(void)
{
	/* 300 of four bytes, an attribute with a constant among them, and the unit's. */
	uint8_t abbrev[300 * 7 + 6];
	uint64_t offset;
	size_t n = 0;

	for (int i = 0; i < 300; i++) {
		abbrev[n++] = 2;
		abbrev[n++] = 0x34;
		abbrev[n++] = 0;
		if (i % 2) {
			abbrev[n++] = 0x3e; /* encoding, */
			abbrev[n++] = 0x21; /* implicit_const, */
			abbrev[n++] = 1;    /* which could be a unit's code */
		}
		abbrev[n++] = 0;
		abbrev[n++] = 0;
	}
	memcpy(abbrev + n, (const uint8_t[]){1, 0x11, 0, 0, 0, 0}, 6);
	n += 6;
	/* 1,000 times 300 are more than CSG_ABBREVIATIONS_FREE; not in a file of a megabyte. */
	CU_ASSERT_PTR_NULL(excess_of(unit4, sizeof(unit4), abbrev, n, 1 << 20, &offset));
	CU_ASSERT_PTR_NOT_NULL(excess_of(unit4, sizeof(unit4), abbrev, n, 1000, &offset));
	CU_ASSERT_EQUAL(offset, (CSG_ABBREVIATIONS_FREE + 1000 / 16) / 300 * sizeof(unit4));
	CU_ASSERT_PTR_NULL(excess_of(unit5, sizeof(unit5), abbrev, n, 1 << 20, &offset));
	CU_ASSERT_PTR_NOT_NULL(excess_of(unit5, sizeof(unit5), abbrev, n, 1000, &offset));
	CU_ASSERT_EQUAL(offset, (CSG_ABBREVIATIONS_FREE + 1000 / 16) / 300 * sizeof(unit5));
	CU_ASSERT_PTR_NULL(excess_of(type5, sizeof(type5), abbrev + n - 6, 6, 1000, &offset));
	CU_ASSERT_EQUAL(offset, 1000 * sizeof(type5));
	CU_ASSERT_PTR_NOT_NULL(excess_of(type5, sizeof(type5), abbrev, n, 1000, &offset));
	CU_ASSERT_EQUAL(offset, (CSG_ABBREVIATIONS_FREE + 1000 / 16) / 300 * sizeof(type5));
	/* Where the unit's comes first, the others do not count. */
	CU_ASSERT_PTR_NULL(excess_of(unit4, sizeof(unit4), abbrev + n - 6, 6, 1000, &offset));
	CU_ASSERT_EQUAL(offset, 1000 * sizeof(unit4));
}

static void units_that_are_cut_anywhere_do_no_harm(void)
{
	static const uint8_t wide[] = {0xff, 0xff, 0xff, 0xff, 16, 0, 0, 0, 0, 0, 0, 0, 4, 0,
				       0,    0,	   0,	 0,    0,  0, 0, 0, 8, 1, 0, 0, 0, 0};
	static const uint8_t abbrev[] = {1, 0x11, 0, 0x11, 1, 0, 0, 0};

	for (size_t info = 1; info <= sizeof(wide); info++)
		for (size_t cut = 1; cut <= sizeof(abbrev); cut++) {
			uint64_t offset;
			struct dwarf d;

			open_sections(&d, abbrev, cut, wide, info, NULL, 0);
			CU_ASSERT_PTR_NULL(csg_dwarf_units_excess(d.dwarf, 1000, &offset));
			CU_ASSERT_EQUAL(offset, info == sizeof(wide) ? sizeof(wide) : 0);
			close_sections(&d);
		}
}

static void a_unit_says_where_its_line_program_is(void)
{
	static const uint8_t abbrev[] = {1, 0x11, 0, 0x10, 0x17, 0, 0, 0};
	uint8_t unit[] = {12, 0, 0, 0, 4, 0, 0, 0, 0, 0, 8, 1, 4, 0, 0, 0};
	uint8_t line[16] = {0, 0, 0, 0, 0x78, 0x56, 0x34, 0x12};
	uint64_t offset = 0, length = 0;
	struct dwarf d;
	Dwarf_Die die;

	open_sections(&d, abbrev, sizeof(abbrev), unit, sizeof(unit), line, sizeof(line));
	CU_ASSERT_PTR_NOT_NULL_FATAL(dwarf_offdie(d.dwarf, 11, &die));
	CU_ASSERT(csg_dwarf_line_program(d.dwarf, &die, &offset, &length));
	CU_ASSERT_EQUAL(offset, 4);
	CU_ASSERT_EQUAL(length, 0x12345678);
	close_sections(&d);
	/* A length has twelve bytes at most. */
	unit[12] = 5;
	open_sections(&d, abbrev, sizeof(abbrev), unit, sizeof(unit), line, sizeof(line));
	CU_ASSERT_PTR_NOT_NULL_FATAL(dwarf_offdie(d.dwarf, 11, &die));
	CU_ASSERT(!csg_dwarf_line_program(d.dwarf, &die, &offset, &length));
	close_sections(&d);
	unit[12] = 0;
	memset(line, 0xff, 4);
	open_sections(&d, abbrev, sizeof(abbrev), unit, sizeof(unit), line, sizeof(line));
	CU_ASSERT_PTR_NOT_NULL_FATAL(dwarf_offdie(d.dwarf, 11, &die));
	CU_ASSERT(csg_dwarf_line_program(d.dwarf, &die, &offset, &length));
	CU_ASSERT_EQUAL(length, 0x12345678);
	close_sections(&d);
}

CSG_SUITE(image_elf, dwarf_bounds, CSG_TEST(abbreviations_before_a_units_own_are_counted),
	  CSG_TEST(units_that_are_cut_anywhere_do_no_harm),
	  CSG_TEST(a_unit_says_where_its_line_program_is));
