/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/maps/perf_map.h"

#include <stdlib.h>
#include <string.h>

#include "suite.h"

static const char *at(struct csg_symtab *table, uint64_t addr)
{
	struct csg_sym *sym = csg_symtab_find(table, addr);

	return sym ? csg_symtab_name(table, sym) : "-";
}

static void names_may_hold_spaces_and_bad_lines_are_skipped(void)
{
	static const char text[] = "ffff90000000 40 LazyCompile:~main /tmp/a.js:1\n"
				   "0xffff90000100 0x20 Interpreted::run\n"
				   "garbage\n"
				   "ffff90000200 zz bad size\n"
				   "ffff90000300 10\n"
				   "ffff90000400 10 last";
	struct csg_symtab table = {0};

	CU_ASSERT_EQUAL(csg_perf_map_parse(&table, text, strlen(text)), 0);
	CU_ASSERT_EQUAL(table.count, 3);
	CU_ASSERT_STRING_EQUAL(at(&table, 0xffff9000003f), "LazyCompile:~main /tmp/a.js:1");
	CU_ASSERT_STRING_EQUAL(at(&table, 0xffff90000040), "-");
	CU_ASSERT_STRING_EQUAL(at(&table, 0xffff9000011f), "Interpreted::run");
	CU_ASSERT_STRING_EQUAL(at(&table, 0xffff90000400), "last");
	csg_symtab_fini(&table);
}

static void a_map_cut_at_any_byte_does_no_harm(void)
{
	static const char text[] = "ffff90000000 40 one two\nffff90000100 20 x\n";

	for (size_t cut = 0; cut < sizeof(text); cut++) {
		struct csg_symtab table = {0};
		char *copy = malloc(cut ? cut : 1);

		memcpy(copy, text, cut);
		CU_ASSERT_EQUAL(csg_perf_map_parse(&table, copy, cut), 0);
		csg_symtab_fini(&table);
		free(copy);
	}
}

CSG_SUITE(image_maps, perf_map, CSG_TEST(names_may_hold_spaces_and_bad_lines_are_skipped),
	  CSG_TEST(a_map_cut_at_any_byte_does_no_harm));
