/* SPDX-License-Identifier: BSD-3-Clause */
#include "watch/trigger.h"

#include <stdio.h>

#include "suite.h"

static struct csg_trigger trigger;
static struct csg_cause cause;

static void begin(uint64_t longest_us, const char *event)
{
	csg_trigger_fini(&trigger);
	trigger = (struct csg_trigger){.longest = longest_us * 1000, .event = event};
	cause = (struct csg_cause){0};
}

/* An event of a thread at that time, which is read then; whether it is a cause. */
static bool happens(int tid, unsigned int us, const char *text)
{
	char line[200];

	snprintf(line, sizeof(line), "%16s-%-7d [%03d] d..1. %5u.%06u: %s", "CPU 0/KVM", tid,
		 tid % 10, us / 1000000, us % 1000000, text);
	return csg_trigger_line(&trigger, line, us * UINT64_C(1000), &cause) == 1;
}

#define EXIT "kvm_exit: TRAP: HSR_EC: 0x0024 (DABT_LOW), PC: 0x80"

static void an_exit_that_lasts_too_long_is_a_cause(void)
{
	begin(100, NULL);
	CU_ASSERT_FALSE(happens(11, 1000, EXIT));
	CU_ASSERT_FALSE(happens(12, 1100, "kvm_entry: PC: 0x80"));
	/* Any event shows what time it is. */
	CU_ASSERT(happens(12, 1101, EXIT));
	CU_ASSERT_EQUAL(cause.kind, CSG_CAUSE_EXIT);
	CU_ASSERT_EQUAL(cause.tid, 11);
	CU_ASSERT_EQUAL(cause.cpu, 1);
	CU_ASSERT_EQUAL(cause.from, 1000000);
	CU_ASSERT_EQUAL(cause.until, 1101000);
	CU_ASSERT_STRING_EQUAL(cause.event, "kvm_exit");
	CU_ASSERT_STRING_EQUAL(cause.text, "TRAP: HSR_EC: 0x0024 (DABT_LOW), PC: 0x80");
}

static void an_entry_ends_it(void)
{
	begin(100, NULL);
	CU_ASSERT_FALSE(happens(11, 1000, EXIT));
	CU_ASSERT_FALSE(happens(12, 1010, EXIT));
	CU_ASSERT_FALSE(happens(11, 1050, "kvm_entry: PC: 0x80"));
	CU_ASSERT_FALSE(happens(11, 1060, EXIT));
	CU_ASSERT(happens(13, 1111, "kvm_entry: PC: 0x80"));
	CU_ASSERT_EQUAL(cause.tid, 12);
	/* The entry that comes too late itself shows it. */
	begin(100, NULL);
	CU_ASSERT_FALSE(happens(11, 1000, EXIT));
	CU_ASSERT(happens(11, 1200, "kvm_entry: PC: 0x80"));
	CU_ASSERT_EQUAL(cause.until, 1200000);
}

static void the_one_that_began_first_is_the_cause(void)
{
	begin(100, NULL);
	CU_ASSERT_FALSE(happens(13, 1000, EXIT));
	CU_ASSERT_FALSE(happens(11, 1001, EXIT));
	CU_ASSERT_FALSE(happens(12, 1002, EXIT));
	CU_ASSERT_FALSE(happens(13, 1003, "kvm_entry: PC: 0x80"));
	CU_ASSERT(happens(14, 1300, EXIT));
	CU_ASSERT_EQUAL(cause.tid, 11);
}

static void a_guest_that_waits_is_none(void)
{
	begin(100, NULL);
	CU_ASSERT_FALSE(happens(11, 1000, "kvm_exit: TRAP: HSR_EC: 0x0001 (WFx), PC: 0x80"));
	CU_ASSERT_FALSE(happens(12, 9000, EXIT));
}

static void what_came_before_perf_recorded_is_none(void)
{
	begin(100, "sched_switch");
	CU_ASSERT_FALSE(happens(11, 1000, EXIT));
	csg_trigger_begin(&trigger, "csguest watch 5 1");
	CU_ASSERT_FALSE(csg_trigger_wait(&trigger, 9000000, &cause));
	CU_ASSERT_FALSE(happens(12, 1200, "sched_switch: prev_pid=5"));
	CU_ASSERT_FALSE(happens(13, 1300, EXIT));
	CU_ASSERT_FALSE(happens(5, 1400, "tracing_mark_write: csguest watch 4 1"));
	CU_ASSERT_FALSE(happens(12, 1450, "sched_switch: prev_pid=5"));
	CU_ASSERT_FALSE(happens(5, 1500, "tracing_mark_write: csguest watch 5 1"));
	/* CPUs' buffers are read one after the other. */
	CU_ASSERT_FALSE(happens(12, 1499, "sched_switch: prev_pid=5"));
	CU_ASSERT_FALSE(csg_trigger_wait(&trigger, 9000000, &cause));
	CU_ASSERT(happens(12, 1500, "sched_switch: prev_pid=5"));
	CU_ASSERT_FALSE(trigger.again);
}

static void a_mark_that_may_be_lost_is_written_again(void)
{
	begin(100, "sched_switch");
	csg_trigger_begin(&trigger, "csguest watch 5 1");
	CU_ASSERT_EQUAL(csg_trigger_line(&trigger, "CPU:1 [LOST 12 EVENTS]", 0, &cause), 0);
	CU_ASSERT(trigger.again);
	csg_trigger_begin(&trigger, "csguest watch 5 2");
	CU_ASSERT_FALSE(trigger.again);
	CU_ASSERT_FALSE(happens(5, 1000, "tracing_mark_write: csguest watch 5 2"));
	CU_ASSERT_EQUAL(csg_trigger_line(&trigger, "CPU:1 [LOST 12 EVENTS]", 0, &cause), 0);
	CU_ASSERT_FALSE(trigger.again);
	CU_ASSERT(happens(12, 1500, "sched_switch: prev_pid=5"));
}

static void time_goes_on_without_events(void)
{
	begin(100, NULL);
	CU_ASSERT_FALSE(csg_trigger_wait(&trigger, 99999999, &cause));
	CU_ASSERT_FALSE(happens(11, 1000, EXIT));
	CU_ASSERT_FALSE(csg_trigger_wait(&trigger, 1100000, &cause));
	CU_ASSERT(csg_trigger_wait(&trigger, 1100001, &cause));
	CU_ASSERT_EQUAL(cause.tid, 11);
	CU_ASSERT_EQUAL(cause.until, 1100000);
}

static void what_is_lost_may_have_been_an_entry(void)
{
	begin(100, NULL);
	CU_ASSERT_FALSE(happens(11, 1000, EXIT));
	CU_ASSERT_EQUAL(csg_trigger_line(&trigger, "CPU:1 [LOST 12 EVENTS]", 0, &cause), 0);
	CU_ASSERT_FALSE(happens(12, 9000, EXIT));
}

static void an_event_is_a_cause(void)
{
	begin(0, "sched_switch");
	CU_ASSERT_FALSE(happens(11, 1000, EXIT));
	CU_ASSERT_FALSE(happens(11, 9000, "sched_wakeup: comm=a"));
	CU_ASSERT(happens(12, 9001, "sched_switch: prev_comm=a"));
	CU_ASSERT_EQUAL(cause.kind, CSG_CAUSE_EVENT);
	CU_ASSERT_EQUAL(cause.from, cause.until);
	CU_ASSERT_STRING_EQUAL(cause.event, "sched_switch");
	begin(0, NULL);
}

CSG_SUITE(watch, trigger, CSG_TEST(an_exit_that_lasts_too_long_is_a_cause),
	  CSG_TEST(an_entry_ends_it), CSG_TEST(the_one_that_began_first_is_the_cause),
	  CSG_TEST(a_guest_that_waits_is_none), CSG_TEST(what_came_before_perf_recorded_is_none),
	  CSG_TEST(a_mark_that_may_be_lost_is_written_again), CSG_TEST(time_goes_on_without_events),
	  CSG_TEST(what_is_lost_may_have_been_an_entry), CSG_TEST(an_event_is_a_cause));
