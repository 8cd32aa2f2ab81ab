/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/timeline_vcpus.h"

#include "suite.h"

#include "capture.h"
#include "waits/switching.h"

static const struct csg_timeline_vcpu vcpus[] = {
	{.vm = 136,
	 .vcpu = 0,
	 .tid = 144,
	 .guest = "web",
	 .sums = {{[CSG_WAIT_RUNNING] = 3588320,
		   [CSG_WAIT_PREEMPTED] = 169008,
		   [CSG_WAIT_BLOCKED] = 1328832}}},
	{.vm = 138,
	 .vcpu = -1,
	 .tid = 143,
	 .sums = {{[CSG_WAIT_RUNNING] = 1, [CSG_WAIT_UNKNOWN] = 2000}}},
};

static void windows_add_up(void)
{
	struct csg_slice_window at[] = {{100, 120}, {140, 160}};
	const struct csg_slice_windows windows = {at, 2};
	struct csg_timeline_vcpu vcpu = {.vm = 10, .tid = 11};

	begin();
	in(0, 100, 11, 7);
	switch_to(0, 150, 11, 7, CSG_LEAVE_PREEMPTED);
	finish();
	csg_timeline_vcpu_add(&vcpu, &waits, &windows);
	CU_ASSERT_EQUAL(vcpu.sums.time[CSG_WAIT_RUNNING], 20 + 10);
	CU_ASSERT_EQUAL(vcpu.sums.time[CSG_WAIT_PREEMPTED], 10);
	csg_waits_fini(&waits);
}

static void text_has_a_line_for_each(void)
{
	struct csg_out *out = capture_begin();

	csg_timeline_vcpus_text(vcpus, 2, out);
	capture_end(out);
	CU_ASSERT_STRING_EQUAL(
		captured,
		"#\n# vCPUs by switch records, us\n"
		"#        running      preempted        blocked      no reason      no record  "
		"who\n"
		"#       3588.320        169.008       1328.832          0.000          0.000  "
		"web (VM 136) vCPU 0 thread 144\n"
		"#          0.001          0.000          0.000          0.000          2.000  "
		"VM 138 thread 143\n");
}

static void a_state_that_is_rare_has_a_column_where_it_is(void)
{
	const struct csg_timeline_vcpu halted = {
		.vm = 136,
		.tid = 144,
		.sums = {{[CSG_WAIT_RUNNING] = 1000, [CSG_WAIT_HALTED] = 2000}}};
	struct csg_out *out = capture_begin();

	csg_timeline_vcpus_text(&halted, 1, out);
	capture_end(out);
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "  preempted         halted        blocked "));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "      0.000          2.000          0.000 "));
}

static void a_narrow_terminal_has_the_states_that_occur(void)
{
	struct csg_out *out = capture_begin();

	out->columns = 80;
	csg_timeline_vcpus_text(vcpus, 2, out);
	capture_end(out);
	CU_ASSERT_STRING_EQUAL(
		captured,
		"#\n# vCPUs by switch records, us\n"
		"#     running   preempted     blocked   no record  who\n"
		"#    3588.320     169.008    1328.832       0.000  web (VM 136) vCPU 0 thread...\n"
		"#       0.001       0.000       0.000       2.000  VM 138 thread 143\n");
}

static void text_is_empty_where_nothing_is_known(void)
{
	const struct csg_timeline_vcpu none = {
		.vm = 136, .tid = 144, .sums = {{[CSG_WAIT_UNKNOWN] = 7}}};
	struct csg_out *out = capture_begin();

	csg_timeline_vcpus_text(&none, 1, out);
	capture_end(out);
	CU_ASSERT_STRING_EQUAL(captured, "");
}

static void json_has_numbers_and_nulls(void)
{
	struct csg_out *out = capture_begin();

	csg_timeline_vcpus_json(vcpus, 2, out);
	capture_end(out);
	CU_ASSERT_STRING_EQUAL(
		captured,
		"[\n{\"vm\":136,\"guest\":\"web\",\"vcpu\":0,\"host_tid\":144,\"running\":3588320,"
		"\"preempted\":169008,\"runnable\":0,\"halted\":0,\"asleep\":0,"
		"\"blocked\":1328832,\"no_reason\":0,\"no_record\":0},\n"
		"{\"vm\":138,\"guest\":null,\"vcpu\":null,\"host_tid\":143,\"running\":1,"
		"\"preempted\":0,\"runnable\":0,\"halted\":0,\"asleep\":0,\"blocked\":0,\"no_"
		"reason\":0,\"no_record\":2000}]");
}

CSG_SUITE(timeline, timeline_vcpus, CSG_TEST(windows_add_up), CSG_TEST(text_has_a_line_for_each),
	  CSG_TEST(a_state_that_is_rare_has_a_column_where_it_is),
	  CSG_TEST(a_narrow_terminal_has_the_states_that_occur),
	  CSG_TEST(text_is_empty_where_nothing_is_known), CSG_TEST(json_has_numbers_and_nulls));
