/* SPDX-License-Identifier: BSD-3-Clause */
/* A page of the summary with a VM for each number below `vms`, 1000 on, and the host. */
#ifndef TESTS_UNIT_SUMMARY_PAGE_H
#define TESTS_UNIT_SUMMARY_PAGE_H

#include <string.h>

#include "summary/summary_print.h"

#define PAGE_VMS 100

static struct csg_group page_groups[PAGE_VMS + 1];
static struct csg_groups page_list = {.groups = page_groups};
static struct csg_vcpu_verdicts page_vcpus;
static struct csg_cpu_time page_time;
static struct csg_report_totals page_totals;
static struct csg_exits page_exits;
static const struct csg_recording_info page_info = {
	.arch = "aarch64", .os_release = "6.12", .cpus_online = 4};
static const struct csg_summary_open page_open[] = {
	{.what = "thread", .why = "nobody says", .instructions = 100, .places = 12345}};
static const struct csg_missing page_missing = {.path = "/bin/app", .machine_pid = 1000};

static struct csg_group_ran page_ran[] = {
	{.vm = 1001, .tid = -1, .time = 600000},
	{.vm = 1000, .tid = -1, .time = 200000},
	{.vm = 0, .tid = 33, .name = "kworker/0:1", .time = 100000},
	{.vm = 0, .tid = 0, .time = 50000},
};

static inline void page_vm(struct csg_group *group, int32_t vm)
{
	const struct csg_cpu_time_sum kernel = {.time = 3000000, .instructions = 3, .slices = 1};

	*group = (struct csg_group){.kind = CSG_GROUP_VM,
				    .vm = vm,
				    .vcpus = 1,
				    .has_waits = true,
				    .ran = page_ran,
				    .ran_count = 4,
				    .exits = 5,
				    .exit_time = 50000,
				    .function_count = 1};
	group->waits.time[CSG_WAIT_RUNNING] = 3000000;
	group->waits.time[CSG_WAIT_PREEMPTED] = 1000000;
	group->waits.time[CSG_WAIT_BLOCKED] = 500000;
	group->waits.time[CSG_WAIT_UNKNOWN] = 5500000;
	group->part[CSG_GROUP_GUEST_KERNEL] = group->all = kernel;
	group->top[0] = (struct csg_group_reason){.vm = vm, .exception = 14, .count = 2};
	group->top[1] = (struct csg_group_reason){.vm = vm,
						  .handler = 9,
						  .handler_name = "kvm_handle_guest_abort",
						  .fast = true,
						  .count = 1,
						  .time = 20000};
	group->idle = (struct csg_group_reason){.vm = vm,
						.handler = 8,
						.handler_name = "kvm_handle_wfx",
						.idle = true,
						.count = 2,
						.time = 30000};
	group->functions[0] = (struct csg_group_function){.symbol = "memset", .instructions = 3};
}

static inline struct csg_summary_page page_of(size_t vms)
{
	struct csg_group *host = &page_groups[vms];

	for (size_t i = 0; i < vms; i++)
		page_vm(&page_groups[i], 1000 + (int32_t)i);
	*host = (struct csg_group){.kind = CSG_GROUP_HOST, .function_count = 1};
	host->all = host->part[CSG_GROUP_HOST_USER] =
		(struct csg_cpu_time_sum){.time = 1000000, .instructions = 100, .slices = 1};
	host->functions[0] = (struct csg_group_function){.dso = "/bin/x", .instructions = 100};
	page_list.n = vms + 1;
	memset(&page_time, 0, sizeof(page_time));
	page_time.begin = 1000000000;
	page_time.end = 1010000000;
	page_time.all.time = vms * 3000000 + 1000000;
	page_totals = (struct csg_report_totals){.instructions = vms * 3 + 100};
	page_totals.gaps[CSG_GAP_NO_CODE] = 12345;
	page_totals.gaps[CSG_GAP_OVERFLOW] = 7;
	page_totals.gaps[CSG_GAP_TRACE_ON] = 2;
	page_exits = (struct csg_exits){.open = 1};
	return (struct csg_summary_page){
		.recording = "perf.data",
		.hypervisor = "kvm-vhe",
		.why = "it is",
		.info = &page_info,
		.cpus = 2,
		.time = &page_time,
		.traced = page_time.all.time,
		.span = page_time.end - page_time.begin,
		.groups = &page_list,
		.vcpus = &page_vcpus,
		.totals = &page_totals,
		.decoded = page_totals.instructions,
		.exits = &page_exits,
		.open = page_open,
		.open_count = 1,
		.missing = &page_missing,
		.advice = {"what is lacking", "do something about it"},
	};
}

#endif
