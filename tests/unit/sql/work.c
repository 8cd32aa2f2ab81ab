/* SPDX-License-Identifier: BSD-3-Clause */
#include "sql/work.h"

#include "fake_calls.h"
#include "sql/database.h"

static void counts_are_by_owner_and_function(void)
{
	const struct csg_batch batch = {.elements = fake_call_trace, .n = 8, .lookup_time = 10};
	struct csg_report_sort sort;
	struct csg_report *report;

	csg_work_sort(&sort);
	CU_ASSERT_EQUAL_FATAL(csg_report_create(&report, &sort, &fake_lookup), 0);
	csg_report_add(report, &batch, 3);
	csg_report_finish(report);
	database_begin();
	CU_ASSERT_EQUAL(csg_work_write_counted(report, &database), 0);
	database_end();
	csg_report_destroy(report);
	CU_ASSERT_STRING_EQUAL(database_ask("select owner, cpu, process, command, object, name, "
					    "instructions, branches from counted join symbol on "
					    "id = symbol order by owner, name"),
			       "1|3|daemon|app|/bin/app|helper|8|1 ; "
			       "1|3|daemon|app|/bin/app|main|14|2 ; "
			       "4|3|daemon|-|[kernel.kallsyms]|vector|8|1");
	database_drop();
}

static void calls_are_a_tree_with_times(void)
{
	struct csg_call_tree tree = {.weight = CSG_CALL_INSTRUCTIONS,
				     .timed = true,
				     .joined = true,
				     .next = fake_calls_next,
				     .time = fake_calls_time};
	const struct csg_lookup lookup = fake_calls_lookup();

	fake_calls_given = false;
	CU_ASSERT_EQUAL_FATAL(csg_call_tree_open(&tree, &lookup, 1), 0);
	while (csg_call_tree_next(&tree) > 0)
		;
	database_begin();
	CU_ASSERT_EQUAL(csg_work_write_calls(&tree, true, false, &database), 0);
	database_end();
	csg_call_tree_close(&tree);
	/* As calls/call_tree.c has them. */
	CU_ASSERT_STRING_EQUAL(database_ask("select c.name, c.kind, c.calls, c.instructions, c.ns "
					    "from call c join call p on p.id = c.parent "
					    "where p.name = 'main' and p.world = 'host'"),
			       "helper|function|2|9|15");
	CU_ASSERT_STRING_EQUAL(database_ask("select sum(ns), sum(instructions) from call"),
			       "60|40");
	database_drop();
}

static bool is_guest(void *arg, const struct csg_owner *owner)
{
	(void)arg;
	return owner->world == CSG_WORLD_GUEST;
}

/* Of the guest's nodes and those they hang under alone. */
static void a_sparse_tree_has_what_has_weight(void)
{
	struct csg_call_tree tree = {.weight = CSG_CALL_INSTRUCTIONS,
				     .timed = true,
				     .joined = true,
				     .next = fake_calls_next,
				     .time = fake_calls_time,
				     .filter = {.owner = is_guest}};
	const struct csg_lookup lookup = fake_calls_lookup();

	fake_calls_given = false;
	CU_ASSERT_EQUAL_FATAL(csg_call_tree_open(&tree, &lookup, 1), 0);
	while (csg_call_tree_next(&tree) > 0)
		;
	database_begin();
	CU_ASSERT_EQUAL(csg_work_write_calls(&tree, true, true, &database), 0);
	database_end();
	csg_call_tree_close(&tree);
	CU_ASSERT_STRING_EQUAL(
		database_ask("select count(*) from call c where instructions = 0 and calls = 0 and "
			     "not exists (select * from call d where d.parent = c.id)"),
		"0");
	CU_ASSERT_STRING_EQUAL(
		database_ask("select sum(instructions) > 0 from call where world = 'guest'"), "1");
	CU_ASSERT_STRING_EQUAL(
		database_ask("select sum(instructions) from call where world = 'host'"), "0");
	database_drop();
}

CSG_SUITE(sql, work, CSG_TEST(counts_are_by_owner_and_function),
	  CSG_TEST(calls_are_a_tree_with_times), CSG_TEST(a_sparse_tree_has_what_has_weight));
