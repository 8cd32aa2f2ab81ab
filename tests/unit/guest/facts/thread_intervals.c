/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/thread_intervals.h"

#include "suite.h"

/* CPU 0: thread 11 of VM 10, thread 7 of process 5, a hole, 11 again; CPU 2: 11, of another
 * process. */
static struct csg_residency host(void)
{
	struct csg_residency r = {0};

	csg_residency_in(&r, 0, 100, 10, 11, 7);
	csg_residency_out(&r, 0, 200, 10, 11, 7);
	csg_residency_in(&r, 0, 210, 5, 7, 11);
	csg_residency_out(&r, 0, 300, 5, 7, 11);
	csg_residency_lost(&r, 0);
	csg_residency_in(&r, 0, 400, 10, 11, 7);
	csg_residency_out(&r, 0, 500, 10, 11, 7);
	csg_residency_in(&r, 2, 600, 12, 11, 3);
	csg_residency_out(&r, 2, 700, 12, 11, 3);
	for (int32_t cpu = 0; cpu < 3; cpu++)
		csg_residency_settle(&r, cpu);
	return r;
}

/* How many intervals a thread of a process has, and where the last of them is; 0: there is no such
 * thread. */
static size_t ask(const struct csg_thread_intervals *by_thread, int32_t pid, int32_t tid,
		  struct csg_on_cpu_place *last)
{
	for (size_t i = 0; i < by_thread->threads.count; i++) {
		const struct csg_on_cpu_place *places;
		size_t n;
		const struct csg_on_cpu_thread *thread =
			csg_thread_intervals_of(by_thread, i, &places, &n);

		if (thread->pid != pid || thread->tid != tid)
			continue;
		*last = places[n - 1];
		return n;
	}
	return 0;
}

static void each_thread_has_its_intervals(void)
{
	struct csg_residency r = host();
	struct csg_thread_intervals by_thread = {0};
	struct csg_on_cpu_place last;

	CU_ASSERT_EQUAL_FATAL(csg_thread_intervals_make(&by_thread, &r), 0);
	CU_ASSERT_EQUAL(ask(&by_thread, 10, 11, &last), 2);
	CU_ASSERT_EQUAL(last.cpu, 0);
	CU_ASSERT_EQUAL(last.at, 2);
	CU_ASSERT_EQUAL(ask(&by_thread, 5, 7, &last), 1);
	CU_ASSERT_EQUAL(last.at, 1);
	CU_ASSERT_EQUAL(ask(&by_thread, 5, 8, &last), 0);
	csg_thread_intervals_fini(&by_thread);
	csg_residency_fini(&r);
}

static void a_tid_of_two_processes_is_two_threads(void)
{
	struct csg_residency r = host();
	struct csg_thread_intervals by_thread = {0};
	struct csg_on_cpu_place last;

	CU_ASSERT_EQUAL_FATAL(csg_thread_intervals_make(&by_thread, &r), 0);
	CU_ASSERT_EQUAL(ask(&by_thread, 12, 11, &last), 1);
	CU_ASSERT_EQUAL(last.cpu, 2);
	csg_thread_intervals_fini(&by_thread);
	csg_residency_fini(&r);
}

static void a_hole_is_named_by_the_interval_before_it(void)
{
	struct csg_residency r = host();
	struct csg_thread_intervals by_thread = {0};

	CU_ASSERT_EQUAL_FATAL(csg_thread_intervals_make(&by_thread, &r), 0);
	CU_ASSERT_EQUAL_FATAL(by_thread.hole_count, 1);
	CU_ASSERT_EQUAL(by_thread.holes[0].cpu, 0);
	CU_ASSERT_EQUAL(by_thread.holes[0].at, 1);
	csg_thread_intervals_fini(&by_thread);
	csg_residency_fini(&r);
}

static void of_nothing_there_is_nothing(void)
{
	const struct csg_residency r = {0};
	struct csg_thread_intervals by_thread = {0};

	CU_ASSERT_EQUAL_FATAL(csg_thread_intervals_make(&by_thread, &r), 0);
	CU_ASSERT_EQUAL(by_thread.threads.count, 0);
	CU_ASSERT_EQUAL(by_thread.hole_count, 0);
	csg_thread_intervals_fini(&by_thread);
}

CSG_SUITE(guest_facts, thread_intervals, CSG_TEST(each_thread_has_its_intervals),
	  CSG_TEST(a_tid_of_two_processes_is_two_threads),
	  CSG_TEST(a_hole_is_named_by_the_interval_before_it),
	  CSG_TEST(of_nothing_there_is_nothing));
