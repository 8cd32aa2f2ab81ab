/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/thread_lives.h"
#include "csguest/owner.h"
#include "suite.h"

struct rig {
	struct csg_thread_table table;
	struct csg_spans lost;
};

/* Thread 7 is of process 5 from 10 on, seen until 30, and of process 6 from 50 on. */
static void rig_init(struct rig *r, bool forked)
{
	*r = (struct rig){0};
	csg_thread_seen(&r->table, 7, 5, NULL, true, 10);
	csg_thread_seen(&r->table, 7, 6, NULL, forked, 50);
	csg_thread_sighted(&r->table, 7, 5, 30);
}

static void lose(struct rig *r, uint64_t from, uint64_t until)
{
	csg_spans_add(&r->lost, from, until);
	csg_spans_sort(&r->lost);
}

static int32_t kernel(const struct rig *r, uint64_t from, uint64_t until)
{
	return csg_thread_during(&r->table, &r->lost, 7, from, until, false);
}

static int32_t user(const struct rig *r, uint64_t from, uint64_t until)
{
	return csg_thread_during(&r->table, &r->lost, 7, from, until, true);
}

static void rig_fini(struct rig *r)
{
	csg_thread_table_fini(&r->table);
	csg_spans_fini(&r->lost);
}

static void a_fork_ends_one_life_and_begins_another(void)
{
	struct rig r;

	rig_init(&r, true);
	CU_ASSERT_EQUAL(kernel(&r, 12, 49), 5);
	CU_ASSERT_EQUAL(kernel(&r, 50, 99), 6);
	CU_ASSERT_EQUAL(kernel(&r, 0, 11), 5);
	CU_ASSERT_EQUAL(kernel(&r, 40, 60), CSG_PID_SEVERAL);
	CU_ASSERT_EQUAL(kernel(&r, 0, UINT64_MAX), CSG_PID_SEVERAL);
	/* The ID was another's then. */
	CU_ASSERT_EQUAL(kernel(&r, 0, 9), CSG_PID_SEVERAL);
	CU_ASSERT_EQUAL(csg_thread_during(&r.table, &r.lost, 8, 0, 9, false), CSG_PID_UNKNOWN);
	rig_fini(&r);
}

static void without_a_fork_nobody_knows_when_it_changed(void)
{
	struct rig r;

	rig_init(&r, false);
	CU_ASSERT_EQUAL(kernel(&r, 12, 30), 5);
	CU_ASSERT_EQUAL(kernel(&r, 12, 31), CSG_PID_SEVERAL);
	CU_ASSERT_EQUAL(kernel(&r, 49, 49), CSG_PID_SEVERAL);
	CU_ASSERT_EQUAL(kernel(&r, 50, 60), 6);
	csg_thread_sighted(&r.table, 7, 6, 45);
	CU_ASSERT_EQUAL(kernel(&r, 45, 60), 6);
	rig_fini(&r);
}

static void what_was_lost_may_be_a_life(void)
{
	struct rig r;

	rig_init(&r, true);
	lose(&r, 20, 40);
	CU_ASSERT_EQUAL(kernel(&r, 12, 30), 5);
	CU_ASSERT_EQUAL(kernel(&r, 12, 31), CSG_PID_SEVERAL);
	CU_ASSERT_EQUAL(kernel(&r, 45, 46), CSG_PID_SEVERAL);
	CU_ASSERT_EQUAL(kernel(&r, 50, 60), 6);
	lose(&r, 70, 80);
	CU_ASSERT_EQUAL(kernel(&r, 50, 69), 6);
	CU_ASSERT_EQUAL(kernel(&r, 90, 91), CSG_PID_SEVERAL);
	/* It is seen again, as the same process's. */
	csg_thread_sighted(&r.table, 7, 6, 95);
	CU_ASSERT_EQUAL(kernel(&r, 90, 91), 6);
	rig_fini(&r);
}

static void no_user_code_runs_after_the_exit(void)
{
	struct rig r = {0};

	csg_thread_seen(&r.table, 7, 5, NULL, true, 10);
	csg_thread_ended(&r.table, 7, 5, 30);
	CU_ASSERT_EQUAL(user(&r, 12, 30), 5);
	CU_ASSERT_EQUAL(kernel(&r, 31, 33), 5);
	CU_ASSERT_EQUAL(user(&r, 31, 33), CSG_PID_SEVERAL);
	csg_thread_seen(&r.table, 7, 6, NULL, true, 50);
	CU_ASSERT_EQUAL(user(&r, 31, 60), 6);
	CU_ASSERT_EQUAL(kernel(&r, 31, 60), CSG_PID_SEVERAL);
	CU_ASSERT_EQUAL(user(&r, 31, 33), CSG_PID_SEVERAL);
	lose(&r, 32, 34);
	CU_ASSERT_EQUAL(user(&r, 31, 60), CSG_PID_SEVERAL);
	rig_fini(&r);
}

static void a_thread_of_which_we_hear_late_was_there_before(void)
{
	struct rig r = {0};

	csg_thread_seen(&r.table, 7, 5, NULL, false, 50);
	CU_ASSERT_EQUAL(kernel(&r, 0, 10), 5);
	lose(&r, 20, 30);
	CU_ASSERT_EQUAL(kernel(&r, 0, 10), CSG_PID_SEVERAL);
	CU_ASSERT_EQUAL(kernel(&r, 31, 32), 5);
	rig_fini(&r);
}

static void records_that_name_ever_other_processes_prove_nothing(void)
{
	struct rig r = {0};

	for (uint64_t i = 1; i < 10000; i++)
		csg_thread_sighted(&r.table, 7, i & 1 ? 5 : 6, i);
	CU_ASSERT_EQUAL(kernel(&r, 1, 1), CSG_PID_SEVERAL);
	CU_ASSERT_EQUAL(csg_thread_was(&r.table, 7, 9), 1);
	rig_fini(&r);
}

static void whose_it_was_at_any_time_is_known(void)
{
	struct rig r;

	rig_init(&r, true);
	CU_ASSERT_EQUAL(csg_thread_was(&r.table, 7, 5), 1);
	CU_ASSERT_EQUAL(csg_thread_was(&r.table, 7, 6), 1);
	CU_ASSERT_EQUAL(csg_thread_was(&r.table, 7, 8), 0);
	CU_ASSERT_EQUAL(csg_thread_was(&r.table, 8, 5), -1);
	rig_fini(&r);
}

static void of_several_processes_with_one_pid_the_pid_is_known(void)
{
	struct csg_thread_table t = {0};
	struct csg_spans lost = {0};

	csg_thread_seen(&t, 5, 7, NULL, true, 10);
	csg_thread_seen(&t, 5, 7 + CSG_VM_AGAIN, NULL, true, 50);
	CU_ASSERT_EQUAL(csg_thread_during(&t, &lost, 5, 60, 70, false), 7 + CSG_VM_AGAIN);
	CU_ASSERT_EQUAL(csg_thread_during(&t, &lost, 5, 20, 70, false), CSG_PID_SEVERAL);
	CU_ASSERT_EQUAL(csg_thread_pid_during(&t, &lost, 5, 20, 70, false), 7);
	csg_thread_seen(&t, 5, 8, NULL, true, 90);
	CU_ASSERT_EQUAL(csg_thread_pid_during(&t, &lost, 5, 20, 95, false), CSG_PID_SEVERAL);
	csg_thread_table_fini(&t);
}

CSG_SUITE(base, thread_lives, CSG_TEST(of_several_processes_with_one_pid_the_pid_is_known),
	  CSG_TEST(a_fork_ends_one_life_and_begins_another),
	  CSG_TEST(without_a_fork_nobody_knows_when_it_changed),
	  CSG_TEST(what_was_lost_may_be_a_life), CSG_TEST(no_user_code_runs_after_the_exit),
	  CSG_TEST(a_thread_of_which_we_hear_late_was_there_before),
	  CSG_TEST(records_that_name_ever_other_processes_prove_nothing),
	  CSG_TEST(whose_it_was_at_any_time_is_known));
