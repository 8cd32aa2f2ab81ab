/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/thread_table.h"

#include <stdio.h>
#include <string.h>

#include "suite.h"

static const char *name(const struct csg_thread_table *t, int32_t tid, uint64_t time)
{
	const struct csg_thread_state *state = csg_thread_at(t, tid, time);

	return !state ? "-" : state->comm ? state->comm : "?";
}

static void a_thread_is_called_what_was_said_last_before(void)
{
	struct csg_thread_table t = {0};

	csg_thread_seen(&t, 5, 5, "one", false, 0);
	csg_thread_seen(&t, 5, 5, "two", false, 100);
	csg_thread_seen(&t, 5, 5, NULL, false, 150);
	CU_ASSERT_STRING_EQUAL(name(&t, 5, 0), "one");
	CU_ASSERT_STRING_EQUAL(name(&t, 5, 99), "one");
	CU_ASSERT_STRING_EQUAL(name(&t, 5, 100), "two");
	CU_ASSERT_STRING_EQUAL(name(&t, 5, UINT64_MAX), "two");
	CU_ASSERT_STRING_EQUAL(name(&t, 6, 5), "-");
	csg_thread_table_fini(&t);
}

static void a_state_holds_until_the_next(void)
{
	struct csg_thread_table t = {0};

	CU_ASSERT_EQUAL(csg_thread_until(&t, 5, 0), UINT64_MAX);
	csg_thread_seen(&t, 5, 5, "one", false, 10);
	csg_thread_seen(&t, 5, 5, "two", false, 100);
	CU_ASSERT_EQUAL(csg_thread_until(&t, 5, 9), 10);
	CU_ASSERT_EQUAL(csg_thread_until(&t, 5, 10), 100);
	CU_ASSERT_EQUAL(csg_thread_until(&t, 5, 99), 100);
	CU_ASSERT_EQUAL(csg_thread_until(&t, 5, 100), UINT64_MAX);
	CU_ASSERT_EQUAL(csg_thread_until(&t, 6, 5), UINT64_MAX);
	csg_thread_table_fini(&t);
}

static void an_id_used_again_is_another_thread(void)
{
	struct csg_thread_table t = {0};

	csg_thread_seen(&t, 7, 5, "old", true, 10);
	csg_thread_seen(&t, 7, 6, "new", true, 20);
	CU_ASSERT_STRING_EQUAL(name(&t, 7, 9), "-");
	CU_ASSERT_EQUAL(csg_thread_at(&t, 7, 15)->pid, 5);
	CU_ASSERT_EQUAL(csg_thread_at(&t, 7, 20)->pid, 6);
	csg_thread_table_fini(&t);
}

static void a_thread_first_heard_of_later_was_there_before(void)
{
	struct csg_thread_table t = {0};

	csg_thread_seen(&t, 7, 5, NULL, false, 50);
	csg_thread_seen(&t, 7, 5, "named", false, 60);
	CU_ASSERT_EQUAL(csg_thread_at(&t, 7, 1)->pid, 5);
	CU_ASSERT_STRING_EQUAL(name(&t, 7, 55), "?");
	CU_ASSERT_STRING_EQUAL(name(&t, 7, 60), "named");
	csg_thread_table_fini(&t);
}

/* "5:10-30 6:40-40": the states of thread 7. */
static const char *states(const struct csg_thread_table *t)
{
	static char text[200];
	const struct csg_thread *thread = csg_thread_find(t, 7);
	size_t at = 0;

	for (size_t i = 0; thread && i < thread->count; i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%d:%d-%d", i ? " " : "",
				       thread->states[i].pid, (int)thread->states[i].time,
				       (int)thread->states[i].last);
	return at ? text : "-";
}

static void records_show_in_any_order_whose_an_id_was(void)
{
	struct csg_thread_table t = {0};

	csg_thread_seen(&t, 7, 5, NULL, false, 10);
	csg_thread_sighted(&t, 7, 5, 30);
	csg_thread_sighted(&t, 7, 5, 20);
	CU_ASSERT_STRING_EQUAL(states(&t), "5:10-30");
	csg_thread_sighted(&t, 7, 6, 50);
	csg_thread_sighted(&t, 7, 6, 40);
	CU_ASSERT_STRING_EQUAL(states(&t), "5:10-30 6:40-50");
	csg_thread_sighted(&t, 7, 8, 35);
	CU_ASSERT_STRING_EQUAL(states(&t), "5:10-30 8:35-35 6:40-50");
	/* In the midst of what was one process's so far. */
	csg_thread_sighted(&t, 7, 6, 20);
	CU_ASSERT_STRING_EQUAL(states(&t), "5:10-10 6:20-20 5:30-30 8:35-35 6:40-50");
	csg_thread_table_fini(&t);
}

static void an_exit_ends_what_runs_in_user_mode(void)
{
	struct csg_thread_table t = {0};

	csg_thread_seen(&t, 7, 5, "name", true, 10);
	csg_thread_ended(&t, 7, 5, 20);
	CU_ASSERT_EQUAL(csg_thread_at(&t, 7, 30)->ended, 20);
	CU_ASSERT_STRING_EQUAL(name(&t, 7, 30), "name");
	/* exec by another thread of the process takes the ID over. */
	csg_thread_seen(&t, 7, 5, "other", false, 40);
	CU_ASSERT_EQUAL(csg_thread_at(&t, 7, 50)->ended, 0);
	csg_thread_table_fini(&t);
}

static void a_table_of_many_threads_finds_each(void)
{
	struct csg_thread_table t = {0};
	int wrong = 0;

	for (int32_t i = 0; i < 5000; i++)
		csg_thread_seen(&t, i * 64, i, "x", false, 1);
	for (int32_t i = 0; i < 5000; i++)
		wrong += !csg_thread_at(&t, i * 64, 1) || csg_thread_at(&t, i * 64, 1)->pid != i;
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT_PTR_NULL(csg_thread_at(&t, 1, 1));
	csg_thread_table_fini(&t);
}

static void what_names_a_thread_after_its_exit_is_another_thread(void)
{
	struct csg_thread_table t = {0};

	csg_thread_seen(&t, 5, 5, "one", true, 10);
	csg_thread_ended(&t, 5, 5, 50);
	csg_thread_seen(&t, 5, 5, NULL, false, 50);
	CU_ASSERT_EQUAL(csg_thread_find(&t, 5)->count, 1);
	csg_thread_ended(&t, 5, 5, 50);
	csg_thread_seen(&t, 5, 5, NULL, false, 80);
	CU_ASSERT_EQUAL_FATAL(csg_thread_find(&t, 5)->count, 2);
	CU_ASSERT_EQUAL(csg_thread_find(&t, 5)->states[0].ended, 50);
	CU_ASSERT_EQUAL(csg_thread_find(&t, 5)->states[1].time, 80);
	CU_ASSERT_FALSE(csg_thread_find(&t, 5)->states[1].begins);
	csg_thread_table_fini(&t);
}

CSG_SUITE(base, thread_table, CSG_TEST(what_names_a_thread_after_its_exit_is_another_thread),
	  CSG_TEST(a_thread_is_called_what_was_said_last_before),
	  CSG_TEST(an_id_used_again_is_another_thread), CSG_TEST(a_state_holds_until_the_next),
	  CSG_TEST(a_thread_first_heard_of_later_was_there_before),
	  CSG_TEST(records_show_in_any_order_whose_an_id_was),
	  CSG_TEST(an_exit_ends_what_runs_in_user_mode),
	  CSG_TEST(a_table_of_many_threads_finds_each));
