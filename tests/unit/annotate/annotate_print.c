/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "annotate/annotate_print.h"
#include "capture.h"
#include "csguest/element.h"
#include "fake_lookup.h"

static struct csg_annotate annotate;

static bool all(void *arg, const struct csg_symbol *symbol)
{
	(void)arg;
	return symbol->name;
}

/* Processes 100 and on of the host ran main's first instruction: 10 times the first, once each the
 * others. */
static void run(int processes)
{
	struct csg_report_range range = {.space = (struct csg_space *)&fake_spaces[1],
					 .start = 0x1000,
					 .end = 0x1004,
					 .time = 1,
					 .instructions = 10,
					 .isa = CSG_ISA_A64};
	struct csg_report_label label = {.world = CSG_WORLD_HOST, .pid = 100, .process = "p"};

	csg_annotate_init(&annotate, &fake_lookup, all, NULL);
	for (; processes--; label.pid++, range.instructions = 1)
		CU_ASSERT_EQUAL(csg_annotate_range(&annotate, &label, &range), 0);
}

/* Of the terminal; 0: none. */
static size_t columns;

static const char *print(const char *keys, bool csv)
{
	struct csg_annotate_print p = {.csv = csv};
	struct csg_out *out = capture_begin();
	const char *bad;

	out->columns = columns;
	CU_ASSERT_EQUAL_FATAL(csg_report_sort_parse(&p.sort, keys, &bad), 0);
	CU_ASSERT_EQUAL(csg_annotate_write(&annotate, &p, out), 0);
	capture_end(out);
	csg_annotate_fini(&annotate);
	return captured;
}

static void owners_have_columns_and_a_line_in_the_head(void)
{
	const char *text;

	run(2);
	text = print("process,vm,dso,symbol", false);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "# function: main\n# object:   /bin/app\n"
					    "# machine:  host\n# instructions: 11\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "# A              10   90.91%  process p, pid 100\n"
					    "# B               1    9.09%  process p, pid 101\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "; /src/main.c:10\n  100.00%          10           1"));
}

static void the_ninth_owner_and_those_after_it_share_a_column(void)
{
	const char *text;

	run(11);
	text = print("pid,vm,dso,symbol", false);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "# +               3   15.00%  3 others\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "           1           3       0"));
}

static const char *print_in(size_t terminal)
{
	const char *text;

	run(11);
	columns = terminal;
	text = print("pid,vm,dso,symbol", false);
	columns = 0;
	return text;
}

static void a_terminal_shows_what_fits(void)
{
	const char *text = print_in(90);

	CU_ASSERT_PTR_NOT_NULL(strstr(text, "# +               3   15.00%  3 others\n"));
	CU_ASSERT_PTR_NOT_NULL(
		strstr(text, "   A   B   C   D   E   F   G   H   +  Offset  Instruction\n"));
	text = print_in(69);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "# C               1    5.00%  pid 102\n# +    "));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "# Percent   A   B   C   +  Offset  Instruction\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(print_in(109), "   H   +  Offset           Address  Instr"));
}

static void csv_has_a_line_for_each_owner(void)
{
	run(2);
	CU_ASSERT_STRING_EQUAL(print("pid,vm,dso,symbol", true),
			       "instructions,pid,vm,dso,symbol,address,offset,bytes,disasm,"
			       "srcline\n"
			       "10,100,0,/bin/app,main,0x0,0,,,/src/main.c:10\n"
			       "1,101,0,/bin/app,main,0x0,0,,,/src/main.c:10\n");
}

CSG_SUITE(annotate, annotate_print, CSG_TEST(owners_have_columns_and_a_line_in_the_head),
	  CSG_TEST(the_ninth_owner_and_those_after_it_share_a_column),
	  CSG_TEST(a_terminal_shows_what_fits), CSG_TEST(csv_has_a_line_for_each_owner));
