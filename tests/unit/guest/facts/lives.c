/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/lives.h"
#include "guest/facts/facts.h"
#include "suite.h"

#define US UINT64_C(1000)

/* Thread 7 leaves CPU 1 at 100 us, thread 8 CPU 0 at 300 us. */
static void leave(struct csg_facts_machine *m)
{
	const struct csg_attribution_switch records[] = {
		{.cpu = 1, .time = 100 * US, .out = true, .pid = 5, .tid = 7, .other_tid = 0},
		{.cpu = 0, .time = 300 * US, .out = true, .pid = 5, .tid = 8, .other_tid = 0},
	};

	for (int i = 0; i < 2; i++)
		csg_switches_add(&m->switches, &records[i]);
	csg_switches_seal(&m->switches, 0, UINT64_MAX);
}

static void records_show_threads(void)
{
	const struct csg_seen seen[] = {
		{.cpu = 0, .time = 50 * US, .pid = 5, .tid = 9},
		{.cpu = 0, .time = 60 * US, .pid = -1, .tid = -1},
		{.cpu = 0, .time = 70 * US, .pid = 0, .tid = 0},
	};
	struct csg_facts facts = {0};
	struct csg_facts_machine *m = csg_facts_machine(&facts, CSG_VM_HOST);

	leave(m);
	CU_ASSERT_EQUAL(csg_lives_seal(m, seen, 3), 0);
	CU_ASSERT_EQUAL(m->threads.count, 3);
	CU_ASSERT_EQUAL(csg_thread_find(&m->threads, 7)->states[0].last, 100 * US);
	CU_ASSERT_EQUAL(csg_thread_find(&m->threads, 9)->states[0].last, 50 * US);
	csg_facts_fini(&facts);
}

static void what_is_lost_lies_after_the_last_record_of_its_cpu(void)
{
	const struct csg_seen seen[] = {
		{.cpu = 0, .time = 50 * US, .pid = 5, .tid = 9},
		{.cpu = 1, .time = 200 * US, .lost = true},
		{.cpu = 2, .time = 900 * US, .pid = -1, .tid = -1},
		{.cpu = 2, .time = 950 * US, .lost = true},
	};
	struct csg_facts facts = {0};
	struct csg_facts_machine *m = csg_facts_machine(&facts, CSG_VM_HOST);

	leave(m);
	for (int i = 0; i < 2; i++) {
		CU_ASSERT_EQUAL(csg_lives_seal(m, seen, 4), 0);
		CU_ASSERT_EQUAL_FATAL(m->lost_spans.count, 2);
		CU_ASSERT_EQUAL(m->lost_spans.spans[0].from, 100 * US);
		CU_ASSERT_EQUAL(m->lost_spans.spans[0].until, 200 * US);
		CU_ASSERT_EQUAL(m->lost_spans.spans[1].from, 900 * US);
		CU_ASSERT_EQUAL(m->lost_spans.spans[1].until, 950 * US);
	}
	csg_facts_fini(&facts);
}

static void a_loss_on_any_cpu_may_be_of_any_time_before(void)
{
	const struct csg_seen lost = {.cpu = -1, .time = 200 * US, .lost = true};
	struct csg_facts facts = {0};
	struct csg_facts_machine *m = csg_facts_machine(&facts, CSG_VM_HOST);

	leave(m);
	CU_ASSERT_EQUAL(csg_lives_seal(m, &lost, 1), 0);
	CU_ASSERT_EQUAL(m->lost_spans.count, 1);
	CU_ASSERT_EQUAL(m->lost_spans.spans[0].from, 0);
	csg_facts_fini(&facts);
}

CSG_SUITE(guest_facts, lives, CSG_TEST(records_show_threads),
	  CSG_TEST(what_is_lost_lies_after_the_last_record_of_its_cpu),
	  CSG_TEST(a_loss_on_any_cpu_may_be_of_any_time_before));
