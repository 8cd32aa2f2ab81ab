/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/switches.h"
#include "suite.h"

static struct csg_switches begin(void)
{
	return (struct csg_switches){0};
}

static void record(struct csg_switches *s, int32_t cpu, uint64_t time, bool out, int32_t tid,
		   int32_t other)
{
	const struct csg_attribution_switch r = {
		.size = sizeof(r),
		.cpu = cpu,
		.time = time,
		.out = out,
		.pid = tid < 0 ? -1 : tid / 10 * 10,
		.tid = tid,
		.other_pid = other < 0 ? -1 : other / 10 * 10,
		.other_tid = other,
	};

	CU_ASSERT_EQUAL_FATAL(csg_switches_add(s, &r), 0);
}

/* One thread after the other, as the kernel writes it. */
static void change(struct csg_switches *s, int32_t cpu, uint64_t time, int32_t from, int32_t to)
{
	record(s, cpu, time, true, from, to);
	record(s, cpu, time + 2, false, to, from);
}

/* The thread of the whole time, -1 unknown, -2 several. */
static int32_t ran_at(const struct csg_switches *s, int32_t cpu, bool kernel, uint64_t from,
		      uint64_t to)
{
	struct csg_ran_from who = {.tid = -3};

	switch (csg_switches_ran(s, cpu, kernel, from, to, &who)) {
	case CSG_RAN_ONE:
		return who.tid;
	case CSG_RAN_SEVERAL:
		return -2;
	default:
		return -1;
	}
}

static int32_t ran(const struct csg_switches *s, int32_t cpu, uint64_t from, uint64_t to)
{
	return ran_at(s, cpu, false, from, to);
}

static void up_to_the_record_after_a_loss_nobody_is_known(void)
{
	struct csg_switches s = begin();

	for (int32_t cpu = 0; cpu < 2; cpu++) {
		change(&s, cpu, 100, 11, 22);
		change(&s, cpu, 200, 22, 33);
		change(&s, cpu, 300, 33, 11);
	}
	CU_ASSERT_EQUAL_FATAL(csg_switches_seal(&s, 1, 1000), 0);
	csg_switches_lose(&s, 1, 200, 200);
	CU_ASSERT_EQUAL(ran(&s, 1, 50, 60), 11);
	CU_ASSERT_EQUAL(ran(&s, 1, 110, 120), -1);
	CU_ASSERT_EQUAL(ran(&s, 1, 201, 201), 33);
	CU_ASSERT_EQUAL(ran(&s, 1, 210, 220), 33);
	CU_ASSERT_EQUAL(ran(&s, 0, 110, 120), 22);
	csg_switches_lose(&s, -1, 250, 301);
	CU_ASSERT_EQUAL(ran(&s, 0, 110, 120), 22);
	CU_ASSERT_EQUAL(ran(&s, 0, 210, 220), -1);
	CU_ASSERT_EQUAL(ran(&s, 1, 210, 220), -1);
	CU_ASSERT_EQUAL(ran(&s, 0, 310, 320), 11);
	csg_switches_fini(&s);
}

static void switches_between_two_times_are_counted(void)
{
	struct csg_switches s = begin();

	for (int32_t cpu = 0; cpu < 2; cpu++) {
		change(&s, cpu, 100, 11, 22);
		change(&s, cpu, 200, 22, 33);
		change(&s, cpu, 300, 33, 11);
	}
	CU_ASSERT_EQUAL_FATAL(csg_switches_seal(&s, 1, 1000), 0);
	CU_ASSERT_EQUAL(csg_switches_between(&s, 0, 50, 350), 3);
	CU_ASSERT_EQUAL(csg_switches_between(&s, 1, 50, 350), 3);
	CU_ASSERT_EQUAL(csg_switches_between(&s, 0, 150, 250), 1);
	CU_ASSERT_EQUAL(csg_switches_between(&s, 0, 110, 190), 0);
	csg_switches_fini(&s);
}

static int32_t beside(const struct csg_switches *s, uint64_t time, bool back)
{
	struct csg_ran_from who;

	CU_ASSERT_EQUAL(csg_switches_ran(s, 0, true, time, time, &who), CSG_RAN_ONE);
	return csg_switches_step(s, back, &who) ? who.tid : -1;
}

static void who_comes_next_and_who_was_before_are_a_switch_away(void)
{
	struct csg_switches s = begin();

	change(&s, 0, 100, 11, 22);
	change(&s, 0, 200, 22, 33);
	change(&s, 0, 300, 34, 11); /* between 33 and 34 a record is missing */
	change(&s, 1, 150, 44, 55);
	CU_ASSERT_EQUAL_FATAL(csg_switches_seal(&s, 1, 1000), 0);
	CU_ASSERT_EQUAL(beside(&s, 50, false), 22);
	CU_ASSERT_EQUAL(beside(&s, 50, true), -1);
	CU_ASSERT_EQUAL(beside(&s, 150, false), -1); /* whether 33 came is not known */
	CU_ASSERT_EQUAL(beside(&s, 150, true), 11);
	CU_ASSERT_EQUAL(beside(&s, 350, true), -1);
	CU_ASSERT_EQUAL(beside(&s, 350, false), -1); /* the next is another CPU's */
	csg_switches_fini(&s);
}

static void who_was_switched_in_last_runs(void)
{
	struct csg_switches s = begin();
	struct csg_ran_from who;

	change(&s, 0, 100, 11, 22);
	change(&s, 0, 200, 22, 11);
	CU_ASSERT_EQUAL(csg_switches_seal(&s, 50, 300), 0);
	CU_ASSERT_EQUAL(ran(&s, 0, 110, 190), 22);
	CU_ASSERT_EQUAL(ran(&s, 0, 210, 300), 11);
	CU_ASSERT_EQUAL(csg_switches_ran(&s, 0, false, 110, 190, &who), CSG_RAN_ONE);
	CU_ASSERT_EQUAL(who.pid, 20);
	csg_switches_fini(&s);
}

static void a_time_with_a_switch_in_it_is_several_threads(void)
{
	struct csg_switches s = begin();

	change(&s, 0, 100, 11, 22);
	csg_switches_seal(&s, 50, 300);
	CU_ASSERT_EQUAL(ran(&s, 0, 90, 110), -2);
	CU_ASSERT_EQUAL(ran(&s, 0, 90, 100), -2);
	CU_ASSERT_EQUAL(ran(&s, 0, 90, 99), 11);
	csg_switches_fini(&s);
}

static void the_first_thread_ran_since_the_recording_began_but_not_before(void)
{
	struct csg_switches s = begin();

	change(&s, 0, 100, 11, 22);
	csg_switches_seal(&s, 50, 300);
	CU_ASSERT_EQUAL(ran(&s, 0, 50, 60), 11);
	CU_ASSERT_EQUAL(ran(&s, 0, 49, 60), -1);
	CU_ASSERT_EQUAL(ran(&s, 0, 290, 301), -1);
	CU_ASSERT_EQUAL(ran(&s, 0, 60, 55), -1);
	csg_switches_fini(&s);
}

static void a_kernel_that_switches_is_of_either_thread(void)
{
	struct csg_switches s = begin();

	change(&s, 0, 100, 11, 22); /* OUT at 100, IN at 102 */
	csg_switches_seal(&s, 50, 300);
	CU_ASSERT_EQUAL(ran_at(&s, 0, true, 60, 99), 11);
	CU_ASSERT_EQUAL(ran_at(&s, 0, true, 100, 101), -2);
	CU_ASSERT_EQUAL(ran_at(&s, 0, true, 101, 200), -2);
	CU_ASSERT_EQUAL(ran_at(&s, 0, true, 102, 200), 22);
	CU_ASSERT_EQUAL(ran_at(&s, 0, false, 101, 200), 22);
	csg_switches_fini(&s);
}

static void a_missing_record_leaves_the_time_unknown(void)
{
	struct csg_switches s = begin();

	record(&s, 0, 100, false, 11, 22);
	record(&s, 0, 200, true, 33, 11);
	record(&s, 0, 300, true, 11, 44);
	csg_switches_seal(&s, 50, 400);
	CU_ASSERT_EQUAL(ran(&s, 0, 60, 70), -1);
	CU_ASSERT_EQUAL(ran(&s, 0, 110, 190), -1);
	CU_ASSERT_EQUAL(ran(&s, 0, 210, 290), -1);
	CU_ASSERT_EQUAL(ran(&s, 0, 310, 390), 44);
	/* Known at its beginning, but not all the time. */
	CU_ASSERT_EQUAL(ran(&s, 0, 290, 310), -1);
	csg_switches_fini(&s);
}

static void records_without_the_other_thread_name_one_side(void)
{
	struct csg_switches s = begin();

	record(&s, 0, 100, true, 11, -1);
	record(&s, 0, 110, false, 22, -1);
	record(&s, 0, 200, true, -1, 11); /* it has died */
	csg_switches_seal(&s, 50, 400);
	CU_ASSERT_EQUAL(ran(&s, 0, 101, 109), 22);
	CU_ASSERT_EQUAL(ran(&s, 0, 120, 190), 22);
	CU_ASSERT_EQUAL(ran(&s, 0, 210, 300), 11);
	csg_switches_fini(&s);
}

static void cpus_are_apart_and_order_does_not_matter(void)
{
	struct csg_switches s = begin();

	change(&s, 1, 100, 33, 44);
	change(&s, 0, 150, 11, 22);
	change(&s, 0, 100, 22, 11);
	csg_switches_seal(&s, 0, 400);
	CU_ASSERT_EQUAL(ran(&s, 0, 110, 120), 11);
	CU_ASSERT_EQUAL(ran(&s, 0, 300, 400), 22);
	CU_ASSERT_EQUAL(ran(&s, 1, 10, 20), 33);
	CU_ASSERT_EQUAL(ran(&s, 1, 300, 400), 44);
	CU_ASSERT_EQUAL(ran(&s, 2, 300, 400), -1);
	CU_ASSERT_EQUAL(csg_switches_only_cpu(&s), -1);
	csg_switches_fini(&s);
}

static void without_records_nobody_is_known(void)
{
	struct csg_switches s = begin();

	CU_ASSERT_EQUAL(csg_switches_seal(&s, 0, 100), 0);
	CU_ASSERT_EQUAL(ran(&s, 0, 10, 20), -1);
	CU_ASSERT_EQUAL(csg_switches_only_cpu(&s), -1);
	change(&s, 3, 10, 1, 2);
	CU_ASSERT_EQUAL(csg_switches_only_cpu(&s), 3);
	csg_switches_fini(&s);
}

static void a_record_that_agrees_with_no_neighbour_is_lone(void)
{
	struct csg_switches s = begin();

	CU_ASSERT_EQUAL(csg_switches_seal(&s, 0, 1000), 0);
	change(&s, 0, 100, 11, 22);
	change(&s, 0, 200, 22, 11);
	change(&s, 1, 150, 33, 44);
	record(&s, 0, 250, false, 77, 66);
	change(&s, 0, 300, 11, 22);
	CU_ASSERT_EQUAL(csg_switches_seal(&s, 0, 1000), 0);
	for (size_t i = 0; i < s.count; i++)
		CU_ASSERT_EQUAL(csg_switches_is_lone(&s, i), s.records[i].tid == 77);
	csg_switches_fini(&s);
}

CSG_SUITE(guest_facts, switches, CSG_TEST(a_record_that_agrees_with_no_neighbour_is_lone),
	  CSG_TEST(up_to_the_record_after_a_loss_nobody_is_known),
	  CSG_TEST(switches_between_two_times_are_counted),
	  CSG_TEST(who_comes_next_and_who_was_before_are_a_switch_away),
	  CSG_TEST(who_was_switched_in_last_runs),
	  CSG_TEST(a_time_with_a_switch_in_it_is_several_threads),
	  CSG_TEST(the_first_thread_ran_since_the_recording_began_but_not_before),
	  CSG_TEST(a_kernel_that_switches_is_of_either_thread),
	  CSG_TEST(a_missing_record_leaves_the_time_unknown),
	  CSG_TEST(records_without_the_other_thread_name_one_side),
	  CSG_TEST(cpus_are_apart_and_order_does_not_matter),
	  CSG_TEST(without_records_nobody_is_known));
