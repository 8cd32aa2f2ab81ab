/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <stdio.h>

#include "fake_lookup.h"
#include "report/source_lines.h"

#define PROCESS ((struct csg_space *)(void *)&fake_spaces[1])
#define GUEST ((struct csg_space *)(void *)&fake_spaces[2])

static void an_address_has_the_line_of_its_space_and_time(void)
{
	struct csg_source_lines lines;

	csg_source_lines_init(&lines, &fake_lookup);
	for (int again = 0; again < 2; again++) {
		CU_ASSERT_STRING_EQUAL(
			csg_source_lines_text(&lines,
					      csg_source_lines_at(&lines, PROCESS, 0x1010, 1)),
			"/src/main.c:12");
		CU_ASSERT_EQUAL(csg_source_lines_at(&lines, GUEST, 0x1010, 1), 0);
		CU_ASSERT_STRING_EQUAL(
			csg_source_lines_text(
				&lines, csg_source_lines_at(&lines, PROCESS, 0x1010, FAKE_CHANGE)),
			"/src/other.c:1");
	}
	CU_ASSERT_EQUAL(csg_source_lines_at(&lines, PROCESS, 0x7000, 1), 0);
	CU_ASSERT_EQUAL(csg_source_lines_at(&lines, NULL, 0x1010, 1), 0);
	CU_ASSERT_PTR_NULL(csg_source_lines_text(&lines, 0));
	csg_source_lines_fini(&lines);
}

static void a_line_has_one_number(void)
{
	struct csg_source_lines lines;

	csg_source_lines_init(&lines, &fake_lookup);
	CU_ASSERT_EQUAL(csg_source_lines_at(&lines, PROCESS, 0x1010, 1),
			csg_source_lines_at(&lines, PROCESS, 0x1014, 1));
	CU_ASSERT_NOT_EQUAL(csg_source_lines_at(&lines, PROCESS, 0x1010, 1),
			    csg_source_lines_at(&lines, PROCESS, 0x1018, 1));
	csg_source_lines_fini(&lines);
}

/* Where its code may be read; without it, it is not known until when the line is that. */
static void an_address_is_looked_up_once(void)
{
	struct csg_source_lines lines;

	csg_source_lines_init(&lines, &fake_lookup);
	fake_line_calls = 0;
	for (uint64_t time = 1; time < FAKE_CHANGE; time++)
		csg_source_lines_at(&lines, PROCESS, FAKE_T32, time);
	CU_ASSERT_EQUAL(fake_line_calls, 1);
	csg_source_lines_at(&lines, PROCESS, FAKE_T32, FAKE_CHANGE);
	CU_ASSERT_EQUAL(fake_line_calls, 2);
	csg_source_lines_at(&lines, PROCESS, 0x1010, 1);
	csg_source_lines_at(&lines, PROCESS, 0x1010, 2);
	CU_ASSERT_EQUAL(fake_line_calls, 4);
	csg_source_lines_fini(&lines);
}

static void line_of_space(void *arg, struct csg_space *space, uint64_t addr, uint64_t time,
			  const char **file, int *line)
{
	(void)arg, (void)addr, (void)time;
	*file = "a";
	*line = (int)((uintptr_t)space - (uintptr_t)fake_spaces);
}

/* More than the cache holds. */
static void the_same_address_has_another_line_in_every_space(void)
{
	struct csg_lookup lookup = fake_lookup;
	struct csg_source_lines lines;
	unsigned int wrong = 0;

	lookup.line = line_of_space;
	csg_source_lines_init(&lines, &lookup);
	for (int i = 1; i < 40000; i++) {
		uintptr_t space = (uintptr_t)fake_spaces + (uintptr_t)i;
		uint32_t number =
			csg_source_lines_at(&lines, (struct csg_space *)space, FAKE_T32, 1);
		char wanted[32];

		snprintf(wanted, sizeof(wanted), "a:%d", i);
		wrong += strcmp(csg_source_lines_text(&lines, number), wanted) != 0;
	}
	CU_ASSERT_EQUAL(wrong, 0);
	csg_source_lines_fini(&lines);
}

static void without_debug_information_there_are_none(void)
{
	struct csg_lookup none = fake_lookup;
	struct csg_source_lines lines;

	none.line = NULL;
	csg_source_lines_init(&lines, &none);
	CU_ASSERT_EQUAL(csg_source_lines_at(&lines, PROCESS, 0x1010, 1), 0);
	CU_ASSERT_FALSE(lines.no_memory);
	csg_source_lines_fini(&lines);
}

CSG_SUITE(report, source_lines, CSG_TEST(an_address_has_the_line_of_its_space_and_time),
	  CSG_TEST(a_line_has_one_number), CSG_TEST(an_address_is_looked_up_once),
	  CSG_TEST(the_same_address_has_another_line_in_every_space),
	  CSG_TEST(without_debug_information_there_are_none));
