/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/elf/symtab.h"

#include <elf.h>
#include <string.h>

#include "suite.h"

static void add(struct csg_symtab *t, uint64_t start, uint64_t size, int binding, const char *name)
{
	CU_ASSERT_EQUAL(csg_symtab_add(t, start, size, (uint8_t)binding, 0, name), 0);
}

static const char *at(struct csg_symtab *t, uint64_t addr)
{
	struct csg_sym *sym = csg_symtab_find(t, addr);

	return sym ? csg_symtab_name(t, sym) : "-";
}

static void a_symbol_covers_its_size_and_no_more(void)
{
	struct csg_symtab t = {0};

	add(&t, 0x200, 0x10, STB_GLOBAL, "b");
	add(&t, 0x100, 0x10, STB_GLOBAL, "a");
	csg_symtab_finish(&t);
	CU_ASSERT_STRING_EQUAL(at(&t, 0xff), "-");
	CU_ASSERT_STRING_EQUAL(at(&t, 0x100), "a");
	CU_ASSERT_STRING_EQUAL(at(&t, 0x10f), "a");
	CU_ASSERT_STRING_EQUAL(at(&t, 0x110), "-");
	CU_ASSERT_STRING_EQUAL(at(&t, 0x20f), "b");
	CU_ASSERT_STRING_EQUAL(at(&t, UINT64_MAX), "-");
	csg_symtab_fini(&t);
}

static void without_a_size_it_ends_at_the_next_or_a_page_after(void)
{
	struct csg_symtab t = {0};

	add(&t, 0x100, 0, STB_GLOBAL, "a");
	add(&t, 0x240, 0, STB_GLOBAL, "b");
	csg_symtab_finish(&t);
	CU_ASSERT_STRING_EQUAL(at(&t, 0x23f), "a");
	CU_ASSERT_STRING_EQUAL(at(&t, 0x1fff), "b");
	CU_ASSERT_STRING_EQUAL(at(&t, 0x2000), "-");
	csg_symtab_fini(&t);
}

static void in_kallsyms_it_does_not_reach_into_another_module(void)
{
	struct csg_symtab t = {.by_module = true};

	csg_symtab_add(&t, 0x1000, 0, STB_GLOBAL, 1, "in_one");
	csg_symtab_add(&t, 0x90000, 0, STB_GLOBAL, 2, "in_two");
	csg_symtab_finish(&t);
	CU_ASSERT_STRING_EQUAL(at(&t, 0x1ffc), "in_one");
	CU_ASSERT_STRING_EQUAL(at(&t, 0x2000), "-");
	csg_symtab_fini(&t);
}

static void of_several_at_one_address_perfs_choice_stays(void)
{
	static const struct {
		uint64_t a_size, b_size;
		int a_bind, b_bind;
		const char *a, *b, *best;
	} cases[] = {
		{0, 8, STB_GLOBAL, STB_LOCAL, "zero_size", "sized", "sized"},
		{8, 8, STB_WEAK, STB_LOCAL, "weak_is_longer", "local", "local"},
		{8, 8, STB_LOCAL, STB_GLOBAL, "local_longer", "glob", "glob"},
		{8, 8, STB_GLOBAL, STB_GLOBAL, "__libc_malloc", "malloc", "malloc"},
		{8, 8, STB_GLOBAL, STB_GLOBAL, "open", "open64", "open64"},
		{8, 8, STB_GLOBAL, STB_GLOBAL, "same", "emas", "same"},
		{8, 8, STB_GLOBAL, STB_GLOBAL, "SyS_a", "sys_b", "sys_b"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct csg_symtab t = {0};

		add(&t, 0x100, cases[i].a_size, cases[i].a_bind, cases[i].a);
		add(&t, 0x100, cases[i].b_size, cases[i].b_bind, cases[i].b);
		add(&t, 0x108, 8, STB_GLOBAL, "next");
		csg_symtab_finish(&t);
		CU_ASSERT_EQUAL(t.count, 2);
		CU_ASSERT_STRING_EQUAL(at(&t, 0x100), cases[i].best);
		csg_symtab_fini(&t);
	}
}

static void of_nested_symbols_the_innermost_is_found(void)
{
	struct csg_symtab t = {0};

	add(&t, 0x100, 0x100, STB_GLOBAL, "outer");
	add(&t, 0x110, 0x80, STB_GLOBAL, "middle");
	add(&t, 0x120, 0x10, STB_GLOBAL, "inner");
	add(&t, 0x140, 0x10, STB_GLOBAL, "inner2");
	add(&t, 0x300, 0x10, STB_GLOBAL, "after");
	csg_symtab_finish(&t);
	CU_ASSERT_STRING_EQUAL(at(&t, 0x104), "outer");
	CU_ASSERT_STRING_EQUAL(at(&t, 0x118), "middle");
	CU_ASSERT_STRING_EQUAL(at(&t, 0x12f), "inner");
	CU_ASSERT_STRING_EQUAL(at(&t, 0x130), "middle");
	CU_ASSERT_STRING_EQUAL(at(&t, 0x14c), "inner2");
	CU_ASSERT_STRING_EQUAL(at(&t, 0x150), "middle");
	CU_ASSERT_STRING_EQUAL(at(&t, 0x190), "outer");
	CU_ASSERT_STRING_EQUAL(at(&t, 0x200), "-");
	CU_ASSERT_STRING_EQUAL(at(&t, 0x308), "after");
	csg_symtab_fini(&t);
}

static void a_hole_ends_where_symbols_do(void)
{
	struct csg_symtab t = {0}, empty = {0};
	uint64_t start, end;

	add(&t, 0x100, 0x100, STB_GLOBAL, "outer");
	add(&t, 0x110, 0x10, STB_GLOBAL, "inner");
	add(&t, 0x300, 0x10, STB_GLOBAL, "after");
	csg_symtab_finish(&t);
	csg_symtab_hole(&t, 0x200, &start, &end);
	CU_ASSERT_EQUAL(start, 0x200);
	CU_ASSERT_EQUAL(end, 0x300);
	csg_symtab_hole(&t, 0x80, &start, &end);
	CU_ASSERT_EQUAL(start, 0);
	CU_ASSERT_EQUAL(end, 0x100);
	csg_symtab_hole(&t, 0x400, &start, &end);
	CU_ASSERT_EQUAL(start, 0x310);
	CU_ASSERT_EQUAL(end, UINT64_MAX);
	csg_symtab_fini(&t);
	csg_symtab_hole(&empty, 0x400, &start, &end);
	CU_ASSERT_EQUAL(start, 0);
	CU_ASSERT_EQUAL(end, UINT64_MAX);
}

/* A table's addresses may be others than those asked for, and wrap around. */
static void a_hole_is_narrowed_in_the_addresses_asked_for(void)
{
	struct csg_symtab t = {0};
	struct csg_symbol symbol = {.hole_start = 0x1000, .hole_end = 0x9000};

	csg_symtab_add(&t, 0x100, 0x80, STB_GLOBAL, 0, "a");
	csg_symtab_add(&t, 0x300, 0x80, STB_GLOBAL, 0, "b");
	csg_symtab_finish(&t);
	csg_symtab_narrow_hole(&t, 0x5200, 0x5000, &symbol);
	CU_ASSERT_EQUAL(symbol.hole_start, 0x5180);
	CU_ASSERT_EQUAL(symbol.hole_end, 0x5300);
	symbol.hole_start = 0x51f0;
	symbol.hole_end = 0x5210;
	csg_symtab_narrow_hole(&t, 0x5200, 0x5000, &symbol);
	CU_ASSERT_EQUAL(symbol.hole_start, 0x51f0);
	CU_ASSERT_EQUAL(symbol.hole_end, 0x5210);
	symbol.hole_start = 0x1000;
	symbol.hole_end = 0x9000;
	csg_symtab_narrow_hole(&t, 0x1100, 0xf00, &symbol);
	CU_ASSERT_EQUAL(symbol.hole_start, 0x1080);
	CU_ASSERT_EQUAL(symbol.hole_end, 0x1200);
	csg_symtab_fini(&t);
}

static void names_are_demangled_where_asked_for(void)
{
	struct csg_symtab t = {.demangle = true}, plain = {0};

	add(&t, 0, 8, STB_GLOBAL, "_ZN3foo3barEi");
	csg_symtab_finish(&t);
	CU_ASSERT_STRING_EQUAL(at(&t, 4), "foo::bar");
	CU_ASSERT_STRING_EQUAL(at(&t, 4), "foo::bar");
	add(&plain, 0, 8, STB_GLOBAL, "_ZN3foo3barEi");
	csg_symtab_finish(&plain);
	CU_ASSERT_STRING_EQUAL(at(&plain, 4), "_ZN3foo3barEi");
	csg_symtab_fini(&t);
	csg_symtab_fini(&plain);
}

static void addresses_at_the_end_of_the_world_are_fine(void)
{
	struct csg_symtab t = {0};

	add(&t, UINT64_MAX - 16, UINT64_MAX, STB_GLOBAL, "huge");
	add(&t, UINT64_MAX - 4, 0, STB_GLOBAL, "last");
	csg_symtab_finish(&t);
	CU_ASSERT_STRING_EQUAL(at(&t, UINT64_MAX - 8), "huge");
	CU_ASSERT_STRING_EQUAL(at(&t, UINT64_MAX - 1), "last");
	csg_symtab_fini(&t);
}

static void an_empty_table_has_nothing(void)
{
	struct csg_symtab t = {0};

	csg_symtab_finish(&t);
	CU_ASSERT_PTR_NULL(csg_symtab_find(&t, 0));
	csg_symtab_fini(&t);
}

/* As in kallsyms, where modules follow the kernel, and lie before it: any number of sorted runs. */
static void symbols_in_any_order_are_found(void)
{
	static const size_t steps[] = {1, 7, 64, 613, 999};

	for (size_t s = 0; s < 5; s++) {
		struct csg_symtab table = {0};
		size_t wrong = 0;

		for (size_t i = 0, at = 0; i < 1000; i++, at = (at + steps[s]) % 1000) {
			at += steps[s] == 64 && i && i % 125 == 0;
			CU_ASSERT_EQUAL(csg_symtab_add(&table, at * 16, 8, STB_GLOBAL, 0, "f"), 0);
		}
		csg_symtab_finish(&table);
		for (size_t i = 1; i < table.count; i++)
			wrong += table.syms[i - 1].start >= table.syms[i].start;
		CU_ASSERT_EQUAL(wrong, 0);
		CU_ASSERT_EQUAL(table.count, 1000);
		csg_symtab_fini(&table);
	}
}

/* Of two that are alike in everything else the first one that was added stays, whatever the
 * runs. */
static void the_first_of_equals_stays(void)
{
	static const char *const names[] = {"one", "two", "six", "ten"};
	struct csg_symtab table = {0};
	size_t wrong = 0;

	for (size_t run = 0; run < 4; run++)
		for (uint64_t at = 0; at < 50; at++)
			csg_symtab_add(&table, at * 16, 8, STB_GLOBAL, 0, names[run]);
	csg_symtab_finish(&table);
	CU_ASSERT_EQUAL(table.count, 50);
	for (size_t i = 0; i < table.count; i++)
		wrong += strcmp(table.syms[i].name, "one") != 0;
	CU_ASSERT_EQUAL(wrong, 0);
	csg_symtab_fini(&table);
}

CSG_SUITE(image_elf, symtab, CSG_TEST(symbols_in_any_order_are_found),
	  CSG_TEST(the_first_of_equals_stays), CSG_TEST(a_symbol_covers_its_size_and_no_more),
	  CSG_TEST(without_a_size_it_ends_at_the_next_or_a_page_after),
	  CSG_TEST(in_kallsyms_it_does_not_reach_into_another_module),
	  CSG_TEST(of_several_at_one_address_perfs_choice_stays),
	  CSG_TEST(of_nested_symbols_the_innermost_is_found),
	  CSG_TEST(a_hole_ends_where_symbols_do),
	  CSG_TEST(a_hole_is_narrowed_in_the_addresses_asked_for),
	  CSG_TEST(names_are_demangled_where_asked_for),
	  CSG_TEST(addresses_at_the_end_of_the_world_are_fine),
	  CSG_TEST(an_empty_table_has_nothing));
