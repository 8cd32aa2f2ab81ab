/* SPDX-License-Identifier: BSD-3-Clause */
#include "summary/verdict.h"

#include "suite.h"

static const struct csg_wait_sums waits = {.time = {[CSG_WAIT_RUNNING] = 100,
						    [CSG_WAIT_PREEMPTED] = 1,
						    [CSG_WAIT_RUNNABLE] = 2,
						    [CSG_WAIT_HALTED] = 4,
						    [CSG_WAIT_ASLEEP] = 8,
						    [CSG_WAIT_BLOCKED] = 16,
						    [CSG_WAIT_OFF] = 32,
						    [CSG_WAIT_UNKNOWN] = 64}};

static void time_is_divided_without_a_rest(void)
{
	const struct csg_verdict_times t = csg_verdict_times(60, 30, &waits, 1000);

	CU_ASSERT_EQUAL(t.part[CSG_VERDICT_RUNNING], 60);
	CU_ASSERT_EQUAL(t.part[CSG_VERDICT_HOST], 30);
	CU_ASSERT_EQUAL(t.part[CSG_VERDICT_HALTED], 4);
	CU_ASSERT_EQUAL(t.part[CSG_VERDICT_STARVED], 1 + 2);
	CU_ASSERT_EQUAL(t.part[CSG_VERDICT_ASLEEP], 8);
	CU_ASSERT_EQUAL(t.part[CSG_VERDICT_BLOCKED], 16);
	/* On a CPU, and the trace does not say whose code ran. */
	CU_ASSERT_EQUAL(t.part[CSG_VERDICT_UNKNOWN], 32 + 64 + 10);
	CU_ASSERT_EQUAL(csg_verdict_span(&t), 227);
}

static void what_the_trace_shows_is_known_without_a_record(void)
{
	struct csg_verdict_times t = csg_verdict_times(120, 30, &waits, 1000);

	CU_ASSERT_EQUAL(t.part[CSG_VERDICT_RUNNING], 120);
	CU_ASSERT_EQUAL(t.part[CSG_VERDICT_UNKNOWN], 32 + 64 - 50);
	CU_ASSERT_EQUAL(csg_verdict_span(&t), 227);
	t = csg_verdict_times(120, 900, &waits, 1000);
	CU_ASSERT_EQUAL(t.part[CSG_VERDICT_HOST], 100 + 64 - 120);
	CU_ASSERT_EQUAL(t.part[CSG_VERDICT_UNKNOWN], 32);
	CU_ASSERT_EQUAL(csg_verdict_span(&t), 227);
	t = csg_verdict_times(900, 900, &waits, 1000);
	CU_ASSERT_EQUAL(csg_verdict_span(&t), 227);
}

static void without_switch_records_the_rest_is_unknown(void)
{
	const struct csg_verdict_times t = csg_verdict_times(60, 30, NULL, 1000);

	CU_ASSERT_EQUAL(t.part[CSG_VERDICT_UNKNOWN], 910);
	CU_ASSERT_EQUAL(csg_verdict_of(&t, true), CSG_VERDICT_UNKNOWN);
	CU_ASSERT_EQUAL(csg_verdict_times(60, 30, NULL, 80).part[CSG_VERDICT_UNKNOWN], 0);
}

static enum csg_verdict most(int part, bool spins)
{
	struct csg_verdict_times t = {{9, 9, 9, 9, 9, 9, 9}};

	t.part[part]++;
	return csg_verdict_of(&t, spins);
}

static void the_verdict_is_what_it_did_most(void)
{
	for (int part = 0; part < CSG_VERDICT_PARTS; part++)
		CU_ASSERT_EQUAL(most(part, false), part);
	CU_ASSERT_EQUAL(most(CSG_VERDICT_RUNNING, true), CSG_VERDICT_SPINNING);
	/* A guest that spins now and then, and waits most of the time. */
	CU_ASSERT_EQUAL(most(CSG_VERDICT_HALTED, true), CSG_VERDICT_HALTED);
	CU_ASSERT_EQUAL(most(CSG_VERDICT_STARVED, true), CSG_VERDICT_STARVED);
}

static void as_much_of_each_is_unknown(void)
{
	const struct csg_verdict_times t = {{9, 9, 9, 9, 9, 9, 9}}, none = {{0}};

	CU_ASSERT_EQUAL(csg_verdict_of(&t, true), CSG_VERDICT_UNKNOWN);
	CU_ASSERT_EQUAL(csg_verdict_of(&none, true), CSG_VERDICT_UNKNOWN);
}

static void each_has_a_name(void)
{
	for (int v = 0; v < CSG_VERDICTS; v++)
		CU_ASSERT_PTR_NOT_NULL(csg_verdict_name((enum csg_verdict)v));
	CU_ASSERT_STRING_EQUAL(csg_verdict_name(CSG_VERDICT_SPINNING), "spinning");
}

CSG_SUITE(summary, verdict, CSG_TEST(time_is_divided_without_a_rest),
	  CSG_TEST(what_the_trace_shows_is_known_without_a_record),
	  CSG_TEST(without_switch_records_the_rest_is_unknown),
	  CSG_TEST(the_verdict_is_what_it_did_most), CSG_TEST(as_much_of_each_is_unknown),
	  CSG_TEST(each_has_a_name));
