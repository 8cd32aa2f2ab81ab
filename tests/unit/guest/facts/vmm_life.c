/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/vmm_life.h"

#include "suite.h"

static struct csg_vmm_life life_of(struct csg_facts_machine *host)
{
	struct csg_vmm_life life;

	csg_spans_sort(&host->lost_spans);
	life = csg_vmm_life(host, 700);
	csg_thread_table_fini(&host->threads);
	csg_spans_fini(&host->lost_spans);
	return life;
}

/* Process 700 is forked at 100; thread 701, forked at 200, ends at 800, the process at 900. */
static struct csg_facts_machine host_of(bool forked, bool vcpu_ends)
{
	struct csg_facts_machine host = {0};

	csg_thread_seen(&host.threads, 5, 5, "sh", false, 0);
	csg_thread_seen(&host.threads, 700, 700, NULL, forked, 100);
	csg_thread_seen(&host.threads, 701, 700, NULL, true, 200);
	if (vcpu_ends)
		csg_thread_ended(&host.threads, 701, 700, 800);
	csg_thread_ended(&host.threads, 700, 700, 900);
	return host;
}

static void a_process_lives_from_fork_to_the_last_threads_exit(void)
{
	struct csg_facts_machine host = host_of(true, true);
	struct csg_vmm_life life;

	csg_thread_seen(&host.threads, 701, 701, NULL, true, 1000);
	life = life_of(&host);
	CU_ASSERT_EQUAL(life.from, 100);
	CU_ASSERT_EQUAL(life.until, 900);
}

static void a_process_that_was_there_before_the_records_has_no_bounds(void)
{
	struct csg_facts_machine host = host_of(false, true);
	struct csg_vmm_life life = life_of(&host);

	CU_ASSERT_EQUAL(life.from, 0);
	CU_ASSERT_EQUAL(life.until, UINT64_MAX);
	host = (struct csg_facts_machine){0};
	life = life_of(&host);
	CU_ASSERT_EQUAL(life.from, 0);
	CU_ASSERT_EQUAL(life.until, UINT64_MAX);
}

static void a_thread_that_has_not_ended_leaves_the_end_open(void)
{
	struct csg_facts_machine host = host_of(true, false);
	struct csg_vmm_life life = life_of(&host);

	CU_ASSERT_EQUAL(life.from, 100);
	CU_ASSERT_EQUAL(life.until, UINT64_MAX);
}

/* Its EXIT is not there: it had ended when its ID was another process's. */
static void a_thread_whose_id_comes_back_elsewhere_has_ended_by_then(void)
{
	struct csg_facts_machine host = host_of(true, false);
	struct csg_vmm_life life;

	csg_thread_seen(&host.threads, 701, 701, NULL, true, 1000);
	life = life_of(&host);
	CU_ASSERT_EQUAL(life.from, 100);
	CU_ASSERT_EQUAL(life.until, 1000);
}

static void a_pid_that_comes_back_has_a_longer_life(void)
{
	struct csg_facts_machine host = host_of(true, true);
	struct csg_vmm_life life;

	csg_thread_seen(&host.threads, 700, 700, NULL, true, 1500);
	csg_thread_ended(&host.threads, 700, 700, 1600);
	life = life_of(&host);
	CU_ASSERT_EQUAL(life.from, 100);
	CU_ASSERT_EQUAL(life.until, 1600);
}

static void where_records_were_lost_nothing_bounds_it(void)
{
	struct csg_facts_machine host = host_of(true, true);
	struct csg_vmm_life life;

	csg_spans_add(&host.lost_spans, 10, 20);
	life = life_of(&host);
	CU_ASSERT_EQUAL(life.from, 0);
	CU_ASSERT_EQUAL(life.until, UINT64_MAX);
	host = host_of(true, true);
	csg_spans_add(&host.lost_spans, 2000, 2010);
	life = life_of(&host);
	CU_ASSERT_EQUAL(life.from, 100);
	CU_ASSERT_EQUAL(life.until, UINT64_MAX);
}

CSG_SUITE(guest_facts, vmm_life, CSG_TEST(a_process_lives_from_fork_to_the_last_threads_exit),
	  CSG_TEST(a_process_that_was_there_before_the_records_has_no_bounds),
	  CSG_TEST(a_thread_that_has_not_ended_leaves_the_end_open),
	  CSG_TEST(a_thread_whose_id_comes_back_elsewhere_has_ended_by_then),
	  CSG_TEST(a_pid_that_comes_back_has_a_longer_life),
	  CSG_TEST(where_records_were_lost_nothing_bounds_it));
