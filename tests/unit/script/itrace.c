/* SPDX-License-Identifier: BSD-3-Clause */
#include "script/itrace.h"

#include <string.h>

#include "csguest/error.h"
#include "suite.h"

static char why[200];

static struct csg_itrace parsed(const char *text)
{
	struct csg_itrace itrace;

	CU_ASSERT_EQUAL(csg_itrace_parse(&itrace, text, why, sizeof(why)), 0);
	return itrace;
}

static int refused(const char *text, const char *word)
{
	struct csg_itrace itrace;

	why[0] = 0;
	return csg_itrace_parse(&itrace, text, why, sizeof(why)) == -CSG_E_USAGE &&
	       strstr(why, word);
}

static void nothing_said_means_branches(void)
{
	struct csg_itrace itrace = parsed("");

	CU_ASSERT(itrace.branches);
	CU_ASSERT_FALSE(itrace.instructions || itrace.errors || itrace.last_branch);
	CU_ASSERT_FALSE(itrace.calls || itrace.returns);
}

static void a_period_counts_instructions(void)
{
	struct csg_itrace itrace = parsed("i10ib");

	CU_ASSERT(itrace.instructions && itrace.branches);
	CU_ASSERT_EQUAL(itrace.period, 10);
	CU_ASSERT_EQUAL(parsed("i1000").period, 1000);
	CU_ASSERT_EQUAL(parsed("i, 20 i").period, 20);
	CU_ASSERT_EQUAL(parsed("i").period, 100000);
	CU_ASSERT_EQUAL(parsed("ib").period, 100000);
}

static void period_0_is_every_instruction(void)
{
	CU_ASSERT_EQUAL(parsed("i0i").period, 1);
	CU_ASSERT_EQUAL(parsed("i0ns").period, 1);
	CU_ASSERT_EQUAL(parsed("i0").period, 1);
}

static void a_period_in_time_is_refused(void)
{
	CU_ASSERT(refused("i10us", "instructions"));
	CU_ASSERT(refused("i10ns", "instructions"));
	CU_ASSERT(refused("bi5ms", "instructions"));
	CU_ASSERT(refused("i5t", "instructions"));
	CU_ASSERT(refused("i10b", "instructions"));
}

static void last_branches_have_a_size(void)
{
	struct csg_itrace itrace = parsed("i100il");

	CU_ASSERT(itrace.last_branch);
	CU_ASSERT_EQUAL(itrace.last_branches, 64);
	CU_ASSERT_EQUAL(parsed("il16b").last_branches, 16);
	CU_ASSERT(refused("il0", "1 to 1024"));
	CU_ASSERT(refused("il1025", "1 to 1024"));
}

static void samples_have_branches_and_chains_of_their_own(void)
{
	struct csg_itrace itrace = parsed("L8G");

	CU_ASSERT(itrace.sample_branches && itrace.sample_chains);
	CU_ASSERT_EQUAL(itrace.last_branches, 8);
	CU_ASSERT_FALSE(itrace.branches || itrace.instructions || itrace.last_branch ||
			itrace.callchain);
}

static void calls_and_returns_are_branches(void)
{
	struct csg_itrace itrace = parsed("cr");

	CU_ASSERT(itrace.branches && itrace.calls && itrace.returns);
	CU_ASSERT(parsed("c").calls);
	CU_ASSERT_FALSE(parsed("c").returns);
}

static void errors_have_flags(void)
{
	struct csg_itrace itrace = parsed("be-o");

	CU_ASSERT(itrace.errors && itrace.no_overflows && itrace.branches);
	CU_ASSERT_FALSE(itrace.no_losses);
	itrace = parsed("e-o-lb");
	CU_ASSERT(itrace.no_overflows && itrace.no_losses && itrace.branches);
	CU_ASSERT_FALSE(parsed("e+o").no_overflows);
	CU_ASSERT(refused("e-x", "flags"));
	CU_ASSERT(refused("e-", "flags"));
}

static void errors_are_losses_without_those_that_flags_leave_out(void)
{
	struct csg_itrace all = parsed("e"), none = parsed("b"), few = parsed("e-o-l");

	CU_ASSERT(csg_itrace_wants_gap(&all, CSG_GAP_OVERFLOW));
	CU_ASSERT(csg_itrace_wants_gap(&all, CSG_GAP_TRUNCATED));
	CU_ASSERT(csg_itrace_wants_gap(&all, CSG_GAP_NO_CODE));
	CU_ASSERT_FALSE(csg_itrace_wants_gap(&all, CSG_GAP_TRACE_ON));
	CU_ASSERT_FALSE(csg_itrace_wants_gap(&all, CSG_GAP_GUEST));
	CU_ASSERT_FALSE(csg_itrace_wants_gap(&none, CSG_GAP_NO_CODE));
	CU_ASSERT_FALSE(csg_itrace_wants_gap(&few, CSG_GAP_OVERFLOW));
	CU_ASSERT_FALSE(csg_itrace_wants_gap(&few, CSG_GAP_TRUNCATED));
	CU_ASSERT_FALSE(csg_itrace_wants_gap(&few, CSG_GAP_BUFFER));
	CU_ASSERT_FALSE(csg_itrace_wants_gap(&few, CSG_GAP_COLLISION));
	CU_ASSERT_FALSE(csg_itrace_wants_gap(&few, CSG_GAP_PARTIAL));
	CU_ASSERT(csg_itrace_wants_gap(&few, CSG_GAP_NO_CODE));
}

static void skipping_needs_a_number(void)
{
	CU_ASSERT_EQUAL(parsed("bs1000").skip, 1000);
	CU_ASSERT(refused("bs", "number"));
	CU_ASSERT(refused("s99999999999999999999999", "too large"));
}

static void time_can_be_dropped_or_trusted(void)
{
	CU_ASSERT(parsed("bZ").timeless);
	CU_ASSERT(parsed("bT").kernel_time);
}

static void call_chains_go_with_instructions(void)
{
	CU_ASSERT(parsed("i1000ig").callchain);
	CU_ASSERT(parsed("ig16").callchain);
	CU_ASSERT_FALSE(parsed("i").callchain);
	CU_ASSERT(refused("g", "g goes with i"));
	CU_ASSERT(refused("bg", "g goes with i"));
	CU_ASSERT(parsed("bilg").callchain && parsed("bilg").branches);
}

static void instrumentation_packets_are_listed_when_asked_for(void)
{
	CU_ASSERT(parsed("w").instrumentation && !parsed("w").branches);
	CU_ASSERT(parsed("crew").instrumentation && parsed("crew").calls && parsed("crew").errors);
	CU_ASSERT_FALSE(parsed("b").instrumentation);
}

static void what_other_trace_units_have_is_refused_by_name(void)
{
	const char *const letters = "yxpoIdfmtaMqA";

	for (const char *l = letters; *l; l++) {
		char text[] = {'b', *l, 0};

		CU_ASSERT(refused(text, "cannot be made of CoreSight"));
	}
	CU_ASSERT(refused("bk", "no option"));
	CU_ASSERT(refused("7", "no option"));
}

CSG_SUITE(script, itrace, CSG_TEST(nothing_said_means_branches),
	  CSG_TEST(instrumentation_packets_are_listed_when_asked_for),
	  CSG_TEST(a_period_counts_instructions), CSG_TEST(period_0_is_every_instruction),
	  CSG_TEST(a_period_in_time_is_refused), CSG_TEST(last_branches_have_a_size),
	  CSG_TEST(samples_have_branches_and_chains_of_their_own),
	  CSG_TEST(calls_and_returns_are_branches), CSG_TEST(errors_have_flags),
	  CSG_TEST(errors_are_losses_without_those_that_flags_leave_out),
	  CSG_TEST(skipping_needs_a_number), CSG_TEST(time_can_be_dropped_or_trusted),
	  CSG_TEST(call_chains_go_with_instructions),
	  CSG_TEST(what_other_trace_units_have_is_refused_by_name));
