/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <string.h>

#include "fake_lookup.h"
#include "report/report.h"

static struct csg_report *report;
static const struct csg_report_row *rows;
static size_t row_count;

static void begin(const char *keys)
{
	struct csg_report_sort sort;
	const char *bad;

	CU_ASSERT_EQUAL_FATAL(csg_report_sort_parse(&sort, keys, &bad), 0);
	CU_ASSERT_EQUAL_FATAL(csg_report_create(&report, &sort, &fake_lookup), 0);
}

static struct csg_element range(uint32_t owner, uint64_t start, uint32_t n, uint8_t branch,
				bool taken)
{
	return (struct csg_element){.kind = CSG_ELEMENT_RANGE,
				    .owner = owner,
				    .start = start,
				    .end = start + 4ull * n,
				    .instructions = n,
				    .branch = branch,
				    .isa = CSG_ISA_A64,
				    .taken = taken};
}

static void add_at(uint64_t time, struct csg_element e)
{
	struct csg_batch batch = {.elements = &e, .n = 1, .lookup_time = time};

	CU_ASSERT_EQUAL(csg_report_add(report, &batch, 0), 0);
}

static void finish(void)
{
	CU_ASSERT_EQUAL(csg_report_finish(report), 0);
	rows = csg_report_rows(report, false, &row_count);
}

static void end(void)
{
	csg_report_destroy(report);
	report = NULL;
}

static void row(size_t i, const char *dso, const char *symbol, uint64_t instructions,
		uint64_t branches)
{
	CU_ASSERT_FATAL(i < row_count);
	CU_ASSERT_STRING_EQUAL(rows[i].dso ? rows[i].dso : "-", dso);
	CU_ASSERT_STRING_EQUAL(rows[i].symbol ? rows[i].symbol : "-", symbol);
	CU_ASSERT_EQUAL(rows[i].instructions, instructions);
	CU_ASSERT_EQUAL(rows[i].branches, branches);
}

static void instructions_and_taken_branches_add_up_by_symbol(void)
{
	begin("dso,symbol");
	add_at(1, range(1, 0x1000, 4, CSG_BRANCH_DIRECT, true));
	add_at(1, range(1, 0x1010, 2, CSG_BRANCH_DIRECT, false));
	add_at(1, range(1, 0x1100, 1, CSG_BRANCH_RETURN, true));
	add_at(1, range(2, 0x1000, 9, CSG_BRANCH_CALL, true));
	add_at(1, range(1, 0x1000, 4, CSG_BRANCH_DIRECT, true));
	add_at(1, range(4, FAKE_KERNEL, 1, CSG_BRANCH_ERET, true));
	finish();
	CU_ASSERT_EQUAL(row_count, 4);
	row(0, "/bin/app", "main", 10, 2);
	row(1, "/bin/guest", "main", 9, 1);
	row(2, "/bin/app", "helper", 1, 1);
	row(3, "[kernel.kallsyms]", "vector", 1, 1);
	CU_ASSERT_EQUAL(csg_report_totals(report)->instructions, 21);
	CU_ASSERT_EQUAL(csg_report_totals(report)->branches, 5);
	CU_ASSERT_EQUAL(csg_report_totals(report)->ranges, 6);
	end();
}

static void a_range_across_symbols_is_shared_out(void)
{
	begin("symbol");
	for (int i = 0; i < 3; i++)
		add_at(1, range(1, 0x10f8, 6, CSG_BRANCH_CALL, true));
	finish();
	CU_ASSERT_EQUAL(row_count, 2);
	row(0, "-", "helper", 12, 3);
	row(1, "-", "main", 6, 0);
	end();
}

static void line(size_t i, const char *srcline, uint64_t instructions, uint64_t branches)
{
	CU_ASSERT_FATAL(i < row_count);
	CU_ASSERT_STRING_EQUAL(rows[i].srcline ? rows[i].srcline : "-", srcline);
	CU_ASSERT_EQUAL(rows[i].instructions, instructions);
	CU_ASSERT_EQUAL(rows[i].branches, branches);
}

static void a_range_across_source_lines_is_shared_out(void)
{
	begin("srcline");
	for (int i = 0; i < 3; i++)
		add_at(1, range(1, 0x1004, 4, CSG_BRANCH_CALL, true));
	add_at(1, range(1, 0x1008, 1, 0, true));
	finish();
	CU_ASSERT_EQUAL(row_count, 3);
	line(0, "/src/main.c:11", 7, 0);
	line(1, "/src/main.c:12", 3, 3);
	line(2, "/src/main.c:10", 3, 0);
	end();
}

static void a_line_belongs_to_each_of_its_owners_and_symbols(void)
{
	begin("world,symbol,srcline");
	add_at(1, range(1, 0x10f8, 3, 0, true));
	add_at(1, range(2, 0x10f8, 1, 0, true));
	finish();
	CU_ASSERT_EQUAL(row_count, 3);
	line(0, "/src/main.c:41", 2, 0);
	CU_ASSERT_STRING_EQUAL(rows[0].symbol, "main");
	CU_ASSERT_EQUAL(rows[0].label.world, CSG_WORLD_HOST);
	line(1, "/src/main.c:42", 1, 0);
	CU_ASSERT_STRING_EQUAL(rows[1].symbol, "helper");
	line(2, "-", 1, 0);
	CU_ASSERT_EQUAL(rows[2].label.world, CSG_WORLD_GUEST);
	end();
}

static void lines_are_those_of_the_time_it_ran(void)
{
	begin("srcline");
	add_at(999, range(1, 0x1000, 1, 0, true));
	add_at(1000, range(1, 0x1000, 2, 0, true));
	finish();
	CU_ASSERT_EQUAL(row_count, 2);
	line(0, "/src/other.c:1", 2, 0);
	line(1, "/src/main.c:10", 1, 0);
	end();
}

static void a_range_of_one_line_has_it_for_each_owner(void)
{
	begin("tid,srcline");
	add_at(1, range(1, 0x1000, 2, 0, true));
	add_at(1, range(3, 0x1000, 2, 0, true));
	finish();
	CU_ASSERT_EQUAL(row_count, 2);
	line(0, "/src/main.c:10", 2, 0);
	line(1, "/src/main.c:10", 2, 0);
	end();
}

/* However many owners and ranges it runs in. */
static void an_address_is_looked_up_once(void)
{
	begin("tid,srcline");
	fake_line_calls = 0;
	for (int i = 0; i < 1000; i++) {
		add_at(1, range(1, 0x1000, 20, 0, true));
		add_at(1, range(3, 0x1000, 20, 0, true));
		add_at(1, range(1, 0x1008, 18, 0, true));
	}
	finish();
	CU_ASSERT_EQUAL(fake_line_calls, 20);
	CU_ASSERT_EQUAL(row_count, 20);
	end();
}

static void names_are_those_of_the_time_it_ran(void)
{
	begin("dso,symbol");
	add_at(999, range(1, 0x1000, 1, 0, true));
	add_at(1001, range(1, 0x1000, 2, 0, true));
	add_at(1002, range(1, 0x1000, 1, 0, true));
	add_at(998, range(1, 0x1000, 1, 0, true));
	finish();
	CU_ASSERT_EQUAL(row_count, 2);
	row(0, "/bin/other", "other", 3, 0);
	row(1, "/bin/app", "main", 2, 0);
	end();
}

static void what_is_unknown_has_its_own_rows(void)
{
	struct csg_element q = {.kind = CSG_ELEMENT_RANGE_NOPATH, .owner = 1, .instructions = 5};

	begin("world,dso,symbol");
	add_at(1, range(0, 0x1000, 3, 0, true));  /* nobody's */
	add_at(1, range(1, 0x1180, 7, 0, true));  /* no symbol there */
	add_at(1, range(1, 0x9000, 20, 0, true)); /* nothing mapped */
	add_at(1, q);
	finish();
	CU_ASSERT_EQUAL(row_count, 4);
	row(0, "-", "-", 20, 0);
	CU_ASSERT_EQUAL(rows[0].label.world, CSG_WORLD_HOST);
	row(1, "/bin/app", "-", 7, 0);
	row(2, "-", "-", 5, 0);
	CU_ASSERT_TRUE(rows[2].no_path);
	row(3, "-", "-", 3, 0);
	CU_ASSERT_EQUAL(rows[3].label.world, CSG_WORLD_UNKNOWN);
	CU_ASSERT_EQUAL(rows[3].label.reason, CSG_REASON_NO_CONTEXT);
	CU_ASSERT_EQUAL(csg_report_totals(report)->instructions, 35);
	end();
}

static void without_keys_of_code_nothing_is_looked_up(void)
{
	fake_symbol_calls = 0;
	begin("world,vm,vcpu");
	add_at(1, range(1, 0x1000, 3, 0, true));
	add_at(1, range(3, 0x2000, 3, 0, true));
	add_at(1, range(2, 0x1000, 2, 0, true));
	finish();
	CU_ASSERT_EQUAL(row_count, 2);
	row(0, "-", "-", 6, 0);
	row(1, "-", "-", 2, 0);
	CU_ASSERT_EQUAL(rows[1].label.vm, 42);
	CU_ASSERT_EQUAL(rows[1].label.vcpu, 1);
	CU_ASSERT_EQUAL(fake_symbol_calls, 0);
	end();
}

static void rows_can_be_ordered_by_branches(void)
{
	begin("symbol");
	add_at(1, range(1, 0x1000, 9, CSG_BRANCH_NONE, true));
	add_at(1, range(1, 0x1100, 1, CSG_BRANCH_DIRECT, true));
	finish();
	row(0, "-", "main", 9, 0);
	rows = csg_report_rows(report, true, &row_count);
	row(0, "-", "helper", 1, 1);
	end();
}

static void functions_of_one_name_are_one_row_where_nothing_tells_them_apart(void)
{
	begin("symbol");
	add_at(1, range(1, 0x1000, 4, CSG_BRANCH_CALL, true));
	add_at(1, range(2, 0x1000, 9, CSG_BRANCH_CALL, true));
	add_at(1, range(1, 0x1100, 20, 0, true));
	finish();
	CU_ASSERT_EQUAL(row_count, 2);
	row(0, "-", "helper", 20, 0);
	row(1, "-", "main", 13, 2);
	end();
}

static void exceptions_and_gaps_are_counted(void)
{
	struct csg_element gap = {.kind = CSG_ELEMENT_GAP, .gap = CSG_GAP_NO_CODE};
	struct csg_element exception = {.kind = CSG_ELEMENT_EXCEPTION};

	begin("world");
	add_at(0, gap);
	add_at(0, gap);
	add_at(0, exception);
	finish();
	CU_ASSERT_EQUAL(row_count, 0);
	CU_ASSERT_EQUAL(csg_report_totals(report)->gaps[CSG_GAP_NO_CODE], 2);
	CU_ASSERT_EQUAL(csg_report_totals(report)->exceptions, 1);
	end();
}

static void the_sum_of_the_rows_is_the_sum_of_the_elements(void)
{
	uint64_t sum = 0, branches = 0;

	begin("world,el,vm,vcpu,pid,tid,comm,dso,symbol,cpu,evidence,reason");
	for (uint32_t i = 0; i < 200000; i++) {
		struct csg_element e = range(i % 5, 0xff0 + 4 * (i * 7919 % 9000), 1 + i % 13,
					     (uint8_t)(i % 10), i & 1);

		if (i % 3 == 0)
			e.isa = CSG_ISA_T32;
		if (i % 17 == 0) {
			e.start += FAKE_KERNEL;
			e.end += FAKE_KERNEL;
		}
		add_at(i % 50 * 40, e);
	}
	finish();
	for (size_t i = 0; i < row_count; i++) {
		sum += rows[i].instructions;
		branches += rows[i].branches;
		if (i)
			CU_ASSERT(rows[i - 1].instructions >= rows[i].instructions);
	}
	CU_ASSERT_EQUAL(sum, csg_report_totals(report)->instructions);
	CU_ASSERT_EQUAL(branches, csg_report_totals(report)->branches);
	CU_ASSERT_EQUAL(csg_report_totals(report)->ranges, 200000);
	end();
}

static bool is_helper(void *arg, const struct csg_symbol *symbol)
{
	(void)arg;
	return symbol->name && !strcmp(symbol->name, "helper");
}

static void code_that_is_not_chosen_does_not_count(void)
{
	static const char *const keys[] = {"dso,symbol", "world"};

	for (size_t i = 0; i < 2; i++) {
		begin(keys[i]);
		csg_report_choose_code(report, is_helper, NULL);
		add_at(1, range(1, 0x1000, 4, CSG_BRANCH_DIRECT, true));
		add_at(1, range(1, 0x1100, 3, CSG_BRANCH_RETURN, true));
		add_at(1, range(2, 0x1000, 9, CSG_BRANCH_CALL, true));
		finish();
		CU_ASSERT_EQUAL_FATAL(row_count, 1);
		CU_ASSERT_EQUAL(rows[0].instructions, 3);
		CU_ASSERT_EQUAL(csg_report_totals(report)->instructions, 3);
		CU_ASSERT_EQUAL(csg_report_totals(report)->branches, 1);
		CU_ASSERT_EQUAL(csg_report_totals(report)->ranges, 1);
		end();
	}
}

static void shares_are_summed_by_window(void)
{
	begin("symbol");
	csg_report_choose_windows(report, false);
	add_at(1, range(1, 0x1000, 4, CSG_BRANCH_DIRECT, true));
	add_at(1, range(1, 0x1100, 6, CSG_BRANCH_RETURN, true));
	add_at(1, range(1, 0x1000, 4, CSG_BRANCH_DIRECT, true));
	CU_ASSERT_EQUAL(csg_report_end_window(report), 0);
	CU_ASSERT_EQUAL(csg_report_end_window(report), 0);
	add_at(1, range(1, 0x1000, 3, CSG_BRANCH_DIRECT, true));
	CU_ASSERT_EQUAL(csg_report_end_window(report), 0);
	finish();
	CU_ASSERT_EQUAL(csg_report_shares(report)->windows, 2);
	CU_ASSERT_EQUAL(csg_report_shares(report)->x, 17);
	CU_ASSERT_EQUAL(csg_report_shares(report)->xx, 14 * 14 + 3 * 3);
	row(0, "-", "main", 11, 3);
	CU_ASSERT_EQUAL(rows[0].share.windows, 2);
	CU_ASSERT_EQUAL(rows[0].share.full, 1);
	CU_ASSERT_EQUAL(rows[0].share.yy, 8 * 8 + 3 * 3);
	CU_ASSERT_EQUAL(rows[0].share.xy, 14 * 8 + 3 * 3);
	CU_ASSERT_EQUAL(rows[1].share.windows, 1);
	end();
}

/* Functions of one name in two objects, which no key tells apart, are one row of each window. */
static void rows_that_read_the_same_are_one_in_each_window(void)
{
	begin("symbol");
	csg_report_choose_windows(report, true);
	add_at(1, range(1, 0x1000, 4, CSG_BRANCH_DIRECT, true));
	add_at(1, range(2, 0x1000, 6, CSG_BRANCH_DIRECT, true));
	CU_ASSERT_EQUAL(csg_report_end_window(report), 0);
	finish();
	CU_ASSERT_EQUAL(row_count, 1);
	CU_ASSERT_EQUAL(rows[0].share.windows, 1);
	CU_ASSERT_EQUAL(rows[0].share.yy, 4);
	end();
}

static uint64_t watched, watched_calls;

static int watch(void *arg, const struct csg_report_label *label, const struct csg_report_range *r)
{
	CU_ASSERT_PTR_EQUAL(arg, &watched);
	CU_ASSERT_EQUAL(label->world, CSG_WORLD_HOST);
	CU_ASSERT_PTR_NOT_NULL(r->space);
	CU_ASSERT_EQUAL(r->start, 0x1000);
	CU_ASSERT_EQUAL(r->end, 0x1010);
	CU_ASSERT_EQUAL(r->isa, CSG_ISA_A64);
	watched += r->instructions;
	watched_calls++;
	return 0;
}

static void a_watcher_gets_each_range_once(void)
{
	watched = watched_calls = 0;
	begin("world,dso");
	csg_report_watch(report, watch, &watched);
	for (int i = 0; i < 5; i++)
		add_at(1, range(1, 0x1000, 4, CSG_BRANCH_DIRECT, true));
	finish();
	CU_ASSERT_EQUAL(watched, 20);
	CU_ASSERT_EQUAL(watched_calls, 1);
	end();
}

CSG_SUITE(report, report, CSG_TEST(a_watcher_gets_each_range_once),
	  CSG_TEST(code_that_is_not_chosen_does_not_count),
	  CSG_TEST(instructions_and_taken_branches_add_up_by_symbol),
	  CSG_TEST(a_range_across_symbols_is_shared_out),
	  CSG_TEST(a_range_across_source_lines_is_shared_out),
	  CSG_TEST(a_line_belongs_to_each_of_its_owners_and_symbols),
	  CSG_TEST(lines_are_those_of_the_time_it_ran),
	  CSG_TEST(a_range_of_one_line_has_it_for_each_owner),
	  CSG_TEST(an_address_is_looked_up_once), CSG_TEST(names_are_those_of_the_time_it_ran),
	  CSG_TEST(what_is_unknown_has_its_own_rows),
	  CSG_TEST(without_keys_of_code_nothing_is_looked_up),
	  CSG_TEST(rows_can_be_ordered_by_branches),
	  CSG_TEST(functions_of_one_name_are_one_row_where_nothing_tells_them_apart),
	  CSG_TEST(exceptions_and_gaps_are_counted),
	  CSG_TEST(the_sum_of_the_rows_is_the_sum_of_the_elements),
	  CSG_TEST(shares_are_summed_by_window),
	  CSG_TEST(rows_that_read_the_same_are_one_in_each_window));
