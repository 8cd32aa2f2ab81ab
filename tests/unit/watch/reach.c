/* SPDX-License-Identifier: BSD-3-Clause */
#include "watch/reach.h"

#include "suite.h"

#define US 1000

static struct csg_reach reach;

/* An exit at 100 us that lasted till 200 us. */
static void begin(enum csg_cause_kind kind)
{
	static struct csg_cause cause;

	cause = (struct csg_cause){.kind = kind, .from = 100 * US, .until = 200 * US};
	csg_reach_init(&reach, &cause);
}

static void at(unsigned int us)
{
	csg_reach_add(&reach, us * UINT64_C(1000));
}

static void breaks(void)
{
	csg_reach_add(&reach, 0);
}

static void without_a_time_nothing_is_known(void)
{
	begin(CSG_CAUSE_EXIT);
	CU_ASSERT_EQUAL(csg_reach_end(&reach), CSG_REACH_NO_TRACE);
	begin(CSG_CAUSE_EXIT);
	breaks();
	CU_ASSERT_EQUAL(csg_reach_end(&reach), CSG_REACH_NO_TRACE);
}

static void trace_that_begins_before_the_cause_holds_it(void)
{
	begin(CSG_CAUSE_EXIT);
	at(90);
	CU_ASSERT_EQUAL(csg_reach_end(&reach), CSG_REACH_HELD);
	begin(CSG_CAUSE_EVENT);
	at(50);
	at(150);
	breaks();
	at(160);
	CU_ASSERT_EQUAL(csg_reach_end(&reach), CSG_REACH_HELD);
}

static void trace_that_begins_after_it_came_too_late(void)
{
	begin(CSG_CAUSE_EXIT);
	at(107);
	at(300);
	CU_ASSERT_EQUAL(csg_reach_end(&reach), CSG_REACH_LATE);
	CU_ASSERT_EQUAL(reach.first, 107 * US);
}

static void times_are_not_exact(void)
{
	begin(CSG_CAUSE_EVENT);
	at(95);
	at(300);
	CU_ASSERT_EQUAL(csg_reach_end(&reach), CSG_REACH_UNKNOWN);
	begin(CSG_CAUSE_EVENT);
	at(106);
	CU_ASSERT_EQUAL(csg_reach_end(&reach), CSG_REACH_UNKNOWN);
}

static void it_may_lie_in_a_break(void)
{
	begin(CSG_CAUSE_EVENT);
	at(50);
	at(99);
	breaks();
	at(120);
	CU_ASSERT_EQUAL(csg_reach_end(&reach), CSG_REACH_BROKEN);
	/* Of the last part nobody says when it ended. */
	begin(CSG_CAUSE_EVENT);
	at(50);
	breaks();
	at(60);
	CU_ASSERT_EQUAL(csg_reach_end(&reach), CSG_REACH_HELD);
}

/* Code of the vCPU. */
static void vcpu(void)
{
	csg_reach_add_guest(&reach, 0, true);
}

/* The guest's counter is 5 ms ahead. */
static void guest(unsigned int us)
{
	csg_reach_add_guest(&reach, (5000 + us) * UINT64_C(1000), true);
}

static void code_of_the_vcpu_before_the_exit_was_over_holds_it(void)
{
	begin(CSG_CAUSE_EXIT);
	vcpu();
	at(103);
	at(300);
	CU_ASSERT_EQUAL(csg_reach_end(&reach), CSG_REACH_HELD);
	/* It may be that of after the exit. */
	begin(CSG_CAUSE_EXIT);
	vcpu();
	at(195);
	CU_ASSERT_EQUAL(csg_reach_end(&reach), CSG_REACH_UNKNOWN);
	/* In another part. */
	begin(CSG_CAUSE_EXIT);
	at(103);
	vcpu();
	breaks();
	at(120);
	CU_ASSERT_EQUAL(csg_reach_end(&reach), CSG_REACH_UNKNOWN);
}

static void what_lies_before_the_first_timestamp_may_be_older(void)
{
	begin(CSG_CAUSE_EVENT);
	vcpu();
	at(140);
	CU_ASSERT_EQUAL(csg_reach_end(&reach), CSG_REACH_UNKNOWN);
	begin(CSG_CAUSE_EVENT);
	csg_reach_add_undated(&reach);
	at(140);
	CU_ASSERT_EQUAL(csg_reach_end(&reach), CSG_REACH_UNKNOWN);
	/* Without the exit's vCPU it is not older than the exit. */
	begin(CSG_CAUSE_EXIT);
	csg_reach_add_guest(&reach, 0, false);
	csg_reach_add_undated(&reach);
	at(250);
	CU_ASSERT_EQUAL(csg_reach_end(&reach), CSG_REACH_LATE);
}

static void a_guests_timestamps_show_how_much_earlier_it_begins(void)
{
	begin(CSG_CAUSE_EXIT);
	guest(210);
	guest(240);
	at(250);
	CU_ASSERT_EQUAL(csg_reach_end(&reach), CSG_REACH_UNKNOWN);
	CU_ASSERT_EQUAL(reach.first, 220 * US);
	/* Another guest's; none comes after the first of the host's. */
	begin(CSG_CAUSE_EXIT);
	guest(10);
	guest(2);
	guest(3);
	at(250);
	guest(90);
	CU_ASSERT_EQUAL(reach.first, 249 * US);
	/* They hold nothing. */
	begin(CSG_CAUSE_EXIT);
	guest(10);
	guest(210);
	at(250);
	CU_ASSERT_EQUAL(csg_reach_end(&reach), CSG_REACH_UNKNOWN);
}

static void a_part_begins_anew_after_a_break(void)
{
	begin(CSG_CAUSE_EVENT);
	guest(10);
	breaks();
	guest(200);
	at(130);
	CU_ASSERT_EQUAL(reach.first, 130 * US);
}

CSG_SUITE(watch, reach, CSG_TEST(without_a_time_nothing_is_known),
	  CSG_TEST(trace_that_begins_before_the_cause_holds_it),
	  CSG_TEST(trace_that_begins_after_it_came_too_late), CSG_TEST(times_are_not_exact),
	  CSG_TEST(it_may_lie_in_a_break),
	  CSG_TEST(code_of_the_vcpu_before_the_exit_was_over_holds_it),
	  CSG_TEST(what_lies_before_the_first_timestamp_may_be_older),
	  CSG_TEST(a_guests_timestamps_show_how_much_earlier_it_begins),
	  CSG_TEST(a_part_begins_anew_after_a_break));
