/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "fake_lookup.h"
#include "report/split.h"

static struct csg_split split(uint64_t at, uint64_t end, uint8_t isa, bool by_symbol)
{
	(void)fake_lookup;
	return (struct csg_split){.lookup = &fake_lookup,
				  .space = (struct csg_space *)&fake_spaces[1],
				  .at = at,
				  .end = end,
				  .isa = isa,
				  .by_symbol = by_symbol};
}

/* The next part is this; symbol NULL: none. */
static void part(struct csg_split *s, const char *symbol, uint64_t from, uint64_t n, bool last)
{
	CU_ASSERT_FATAL(csg_split_next(s));
	if (symbol)
		CU_ASSERT_STRING_EQUAL(s->found.name, symbol)
	else
		CU_ASSERT_PTR_NULL(s->found.name);
	CU_ASSERT_EQUAL(s->from, from);
	CU_ASSERT_EQUAL(s->instructions, n);
	CU_ASSERT_EQUAL(s->last, last);
	if (last)
		CU_ASSERT_FALSE(csg_split_next(s));
}

static void a_range_within_a_symbol_is_one_part(void)
{
	struct csg_split s = split(0x1010, 0x1100, CSG_ISA_A64, true);

	fake_symbol_calls = 0;
	part(&s, "main", 0x1010, 60, true);
	CU_ASSERT_EQUAL(fake_symbol_calls, 1);
}

static void a_range_is_split_where_it_falls_through(void)
{
	struct csg_split s = split(0x10f8, 0x1110, CSG_ISA_A64, true);

	part(&s, "main", 0x10f8, 2, false);
	part(&s, "helper", 0x1100, 4, true);
}

static void after_code_without_symbols_the_next_symbol_is_found(void)
{
	struct csg_split s = split(0x11f8, 0x1208, CSG_ISA_A64, true);

	part(&s, NULL, 0x11f8, 1, false);
	part(&s, NULL, 0x11fc, 1, false);
	part(&s, "tail", 0x1200, 2, true);
}

static void code_without_symbols_at_both_ends_is_one_part(void)
{
	struct csg_split s = split(0x1180, 0x11f0, CSG_ISA_A64, true);

	fake_symbol_calls = 0;
	part(&s, NULL, 0x1180, 28, true);
	CU_ASSERT_EQUAL(fake_symbol_calls, 2);
}

static void without_symbols_only_mappings_divide(void)
{
	struct csg_split s = split(0x10f8, 0x1110, CSG_ISA_A64, false);

	part(&s, "main", 0x10f8, 6, true);
	s = split(0x7ff8, 0x8008, CSG_ISA_A64, false);
	part(&s, NULL, 0x7ff8, 2, false);
	CU_ASSERT_STRING_EQUAL(s.found.dso, "/bin/app");
	part(&s, NULL, 0x8000, 2, true);
	CU_ASSERT_PTR_NULL(s.found.dso);
}

static void source_lines_divide_within_a_symbol(void)
{
	struct csg_source_lines lines;
	struct csg_split s = split(0x10ec, 0x1104, CSG_ISA_A64, true);

	csg_source_lines_init(&lines, &fake_lookup);
	s.lines = &lines;
	part(&s, "main", 0x10ec, 1, false);
	CU_ASSERT_STRING_EQUAL(csg_source_lines_text(&lines, s.line), "/src/main.c:39");
	part(&s, "main", 0x10f0, 2, false);
	part(&s, "main", 0x10f8, 2, false);
	CU_ASSERT_STRING_EQUAL(csg_source_lines_text(&lines, s.line), "/src/main.c:41");
	part(&s, "helper", 0x1100, 1, true);
	CU_ASSERT_STRING_EQUAL(csg_source_lines_text(&lines, s.line), "/src/main.c:42");
	/* Of one line, and without any. */
	s = split(0x1200, 0x1280, CSG_ISA_A64, true);
	s.lines = &lines;
	part(&s, "tail", 0x1200, 32, true);
	s = split(FAKE_T32, FAKE_T32 + 6, CSG_ISA_T32, true);
	s.lines = &lines;
	part(&s, "thumb", FAKE_T32, 2, true);
	CU_ASSERT_EQUAL(s.line, 0);
	csg_source_lines_fini(&lines);
}

static void t32_instructions_are_counted_by_their_size(void)
{
	struct csg_split s = split(FAKE_T32, FAKE_T32 + 10, CSG_ISA_T32, true);

	part(&s, "thumb", FAKE_T32, 2, false);
	part(&s, "thumb2", FAKE_T32 + 6, 2, true);
	/* Without the code the sizes are not known: one part. */
	s = split(0x10fe, 0x1110, CSG_ISA_T32, true);
	part(&s, "main", 0x10fe, 0, true);
}

static void huge_ranges_end_after_a_bounded_number_of_questions(void)
{
	struct csg_split s = split(0x100000, UINT64_MAX, CSG_ISA_A64, true);
	uint64_t n = 0;

	fake_symbol_calls = 0;
	while (csg_split_next(&s))
		n += s.instructions;
	CU_ASSERT_EQUAL(n, (UINT64_MAX - 0x100000) / 4 + 1);
	CU_ASSERT(fake_symbol_calls < 5);
	/* A symbol at its end makes it worth asking. */
	s = split(0, FAKE_T32 + 4, CSG_ISA_A64, true);
	for (n = 0; csg_split_next(&s); n += s.instructions)
		;
	CU_ASSERT_EQUAL(n, FAKE_T32 / 4 + 1);
	CU_ASSERT(fake_symbol_calls > 2000 && fake_symbol_calls < 5000);
}

CSG_SUITE(report, split, CSG_TEST(a_range_within_a_symbol_is_one_part),
	  CSG_TEST(a_range_is_split_where_it_falls_through),
	  CSG_TEST(after_code_without_symbols_the_next_symbol_is_found),
	  CSG_TEST(code_without_symbols_at_both_ends_is_one_part),
	  CSG_TEST(without_symbols_only_mappings_divide),
	  CSG_TEST(source_lines_divide_within_a_symbol),
	  CSG_TEST(t32_instructions_are_counted_by_their_size),
	  CSG_TEST(huge_ranges_end_after_a_bounded_number_of_questions));
