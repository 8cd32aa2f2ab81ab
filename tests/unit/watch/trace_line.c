/* SPDX-License-Identifier: BSD-3-Clause */
#include "watch/trace_line.h"

#include "suite.h"

static struct csg_trace_line result;

static void an_event_has_thread_cpu_time_and_text(void)
{
	CU_ASSERT_FATAL(csg_trace_line_read(
		&result,
		"       CPU 0/KVM-144     [001] d..1.    11.184847: kvm_exit: IRQ: HSR_EC: 0x0000 "
		"(UNKNOWN), PC: 0x80"));
	CU_ASSERT_EQUAL(result.tid, 144);
	CU_ASSERT_EQUAL(result.cpu, 1);
	CU_ASSERT_EQUAL(result.time, 11184847000);
	CU_ASSERT_STRING_EQUAL(result.event, "kvm_exit");
	CU_ASSERT_STRING_EQUAL(result.text, "IRQ: HSR_EC: 0x0000 (UNKNOWN), PC: 0x80");
	CU_ASSERT_FALSE(result.lost);
}

static void the_name_of_a_thread_may_hold_anything(void)
{
	CU_ASSERT_FATAL(csg_trace_line_read(
		&result,
		"  a-1 [000] 1.2:-7       [127] ..... 86400.000001: sched_switch: prev_pid=7"));
	CU_ASSERT_EQUAL(result.tid, 7);
	CU_ASSERT_EQUAL(result.cpu, 127);
	CU_ASSERT_EQUAL(result.time, 86400000001000);
	CU_ASSERT_STRING_EQUAL(result.event, "sched_switch");
	/* An event without text. */
	CU_ASSERT_FATAL(csg_trace_line_read(
		&result, "          <idle>-0       [000] d..1.     1.000002: tick:"));
	CU_ASSERT_STRING_EQUAL(result.event, "tick");
	CU_ASSERT_STRING_EQUAL(result.text, "");
}

static void lost_events_are_reported(void)
{
	CU_ASSERT(csg_trace_line_read(&result, "CPU:1 [LOST 12 EVENTS]"));
	CU_ASSERT(result.lost);
}

static void other_lines_are_none(void)
{
	static const char *const lines[] = {
		"",
		"# tracer: nop",
		"CPU:1 started",
		"            perf-12      [000] d..1.",
		"            perf-12      [000] d..1.    11.184847: ",
		"            perf 12      [000] d..1.    11.184847: kvm_exit: x",
		"            perf--1      [000] d..1.    11.184847: kvm_exit: x",
		"            perf-12      [000] d..1. 99999999999.184847: kvm_exit: x",
		"            perf-12      [000] d..1.    11.184847: "
		"a_name_that_is_longer_than_the_kernel_lets_any_name_of_an_event_become: x",
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		CU_ASSERT_FALSE(csg_trace_line_read(&result, lines[i]));
}

CSG_SUITE(watch, trace_line, CSG_TEST(an_event_has_thread_cpu_time_and_text),
	  CSG_TEST(the_name_of_a_thread_may_hold_anything), CSG_TEST(lost_events_are_reported),
	  CSG_TEST(other_lines_are_none));
