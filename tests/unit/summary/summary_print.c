/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "capture.h"
#include "page.h"

static void print(const struct csg_summary_page *page)
{
	struct csg_out *out = capture_begin();

	csg_summary_text(page, out);
	capture_end(out);
}

static void has(const char *part)
{
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, part));
}

static size_t count_lines(void)
{
	size_t n = 0;

	for (const char *c = captured; *c; c++)
		n += *c == '\n';
	return n;
}

static void one_vm_is_shown_whole(void)
{
	struct csg_summary_page page = page_of(1);

	print(&page);
	CU_ASSERT_STRING_EQUAL(
		captured,
		"recording   perf.data, aarch64, Linux 6.12\n"
		"traced      2 of 4 CPUs, 1.000000 s to 1.010000 s, 20.0% of it\n"
		"decoded     103 instructions in 4.000 ms of CPU time\n"
		"hypervisor  kvm-vhe: it is\n"
		"\n"
		"                                         in the guest       in the host\n"
		"CPU time                ms    share   kernel     user   kernel     user\n"
		"VM 1000              3.000   75.00%   75.00%        -    0.00%    0.00%\n"
		"host, other          1.000   25.00%        -        -    0.00%   25.00%\n"
		"\n"
		"Off CPU, ms      preempted   blocked no reason no record  ran instead\n"
		"VM 1000              1.000     0.500     0.000     5.500     0.600 VM 1001\n"
		"                                                             0.200 its own "
		"threads\n"
		"                                                             0.100 kworker/0:1 "
		"33\n"
		"\n"
		"Exits              count    per s        ms mean us  reason\n"
		"VM 1000                5      500     0.050    10.0  all\n"
		"                       2      200         -       -  IRQ\n"
		"                       1      100     0.020    20.0  kvm_handle_guest_abort, "
		"fast\n"
		"                       2      200     0.030    15.0  idle: kvm_handle_wfx\n"
		"all VMs                1        -         -       -  without a traced entry\n"
		"\n"
		"Functions           share  instructions  name\n"
		"VM 1000             2.91%             3  memset\n"
		"host               97.09%           100  [unknown] in /bin/x\n"
		"\n"
		"Unknown\n"
		"  thread of 97.1% of instructions, and at 12,345 places whose code was not read:\n"
		"    nobody says\n"
		"  code at 12,345 places, which is not decoded; most often of /bin/app of VM 1000\n"
		"  the trace unit overflowed 7 times\n"
		"What would help most\n"
		"  what is lacking\n"
		"  remedy: do something about it\n");
}

static void code_is_missing_of_a_vm_by_its_name(void)
{
	const struct csg_missing missing = {.path = "/app", .machine_pid = 1000 + 2 * CSG_VM_AGAIN};
	struct csg_summary_page page = page_of(0);

	page.missing = &missing;
	print(&page);
	has("; most often of /app of VM 1000#2\n");
}

static void of_many_vms_the_top_ones_are_shown(void)
{
	struct csg_summary_page page = page_of(60);

	print(&page);
	CU_ASSERT(count_lines() <= 48);
	has("VM 1004              3.000");
	CU_ASSERT_PTR_NULL(strstr(captured, "VM 1005"));
	has("55 more VMs        165.000   91.16%   91.16%        -    0.00%    0.00%\n");
	has("55 more VMs         55.000    27.500     0.000   302.500\n");
	has("VM 1002              1.000     0.500     0.000     5.500     0.600 VM 1001\n");
	has("55 more VMs          275    27500     2.750    10.0  all\n");
	has("VM 1000                5      500     0.050    10.0  most: IRQ\n");
}

static void nothing_unknown_is_nothing(void)
{
	struct csg_summary_page page = page_of(1);

	page_totals.gaps[CSG_GAP_NO_CODE] = page_totals.gaps[CSG_GAP_OVERFLOW] = 0;
	page.open_count = 0;
	page.advice.lack = NULL;
	print(&page);
	has("\nUnknown\n  nothing\n");
	CU_ASSERT_PTR_NULL(strstr(captured, "help most"));
	page.filtered = true;
	print(&page);
	has("\nUnknown, of all that was decoded\n  nothing\n");
}

static void ticks_are_no_time(void)
{
	struct csg_summary_page page = page_of(1);

	page.unit = CSG_SLICES_TICKS;
	page_exits.timeless = true;
	page_groups[0].has_waits = false;
	print(&page);
	has("traced      2 of 4 CPUs\n");
	has("decoded     103 instructions in 4000000 ticks of CPU time\n");
	has("VM 1000            3000000   75.00%   75.00%        -    0.00%    0.00%\n");
	CU_ASSERT_PTR_NULL(strstr(captured, "Off CPU"));
	has("VM 1000                5        -         -       -  all\n");
}

static void what_is_missing_has_a_name(void)
{
	struct csg_summary_page page = page_of(0);

	page_groups[0].kind = CSG_GROUP_LOST;
	page_groups[0].gap = CSG_GAP_TRACE_ON;
	page.exits = NULL;
	print(&page);
	has("\nnot traced           1.000  100.00%  ");
	CU_ASSERT_PTR_NULL(strstr(captured, "Exits"));
	CU_ASSERT_PTR_NULL(strstr(captured, "Off CPU"));
	page_groups[0].gap = CSG_GAP_OVERFLOW;
	print(&page);
	has("\nlost: overflow       1.000  100.00%  ");
}

static void what_windows_have_of_the_time_is_an_estimate(void)
{
	struct csg_summary_page page = page_of(1);

	page.estimated = true;
	print(&page);
	has("1.000000 s to 1.010000 s, about 20.0% of it\n");
	page.traced = 0;
	print(&page);
	has("1.000000 s to 1.010000 s, too few timestamps to say how much of it\n");
}

CSG_SUITE(summary, summary_print, CSG_TEST(what_windows_have_of_the_time_is_an_estimate),
	  CSG_TEST(one_vm_is_shown_whole), CSG_TEST(of_many_vms_the_top_ones_are_shown),
	  CSG_TEST(nothing_unknown_is_nothing), CSG_TEST(ticks_are_no_time),
	  CSG_TEST(what_is_missing_has_a_name), CSG_TEST(code_is_missing_of_a_vm_by_its_name));
