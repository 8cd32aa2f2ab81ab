/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/run/batch_filter.h"

#include <stdio.h>

#include "suite.h"

static const struct csg_owner owners[] = {
	{.world = CSG_WORLD_HOST, .pid = 10, .tid = 11, .vcpu = -1},
	{.world = CSG_WORLD_GUEST, .vm = 5, .vcpu = 0, .pid = 1, .tid = 1},
	{.world = CSG_WORLD_GUEST, .vm = 7, .vcpu = 0, .pid = 1, .tid = 2},
};

static const struct csg_owner *owner_of(const void *arg, uint32_t number)
{
	(void)arg;
	return &owners[number];
}

static const struct csg_element elements[] = {
	{.owner = 0}, {.owner = 1}, {.owner = 1}, {.owner = 2}, {.owner = 1}};

/* Runs of wanted elements, as "first+n ". */
static void runs(const struct csg_filter *filter, uint64_t time, char *text)
{
	struct csg_batch rest = {.elements = elements, .n = 5, .time = time}, run;

	*text = 0;
	while (csg_filter_next(filter, owner_of, NULL, &rest, &run))
		text += sprintf(text, "%td+%zu ", run.elements - elements, run.n);
	CU_ASSERT_EQUAL(rest.n, 0);
}

static void owners_are_let_through_by_what_they_are(void)
{
	const int32_t vm = 5, vcpu = 0, pid = 1, tid = 2;
	struct csg_filter filter = {.size = sizeof(filter)};
	char text[64];

	runs(&filter, 1, text);
	CU_ASSERT_STRING_EQUAL(text, "0+1 1+2 3+1 4+1 ");
	filter.worlds = 1u << CSG_WORLD_HOST;
	runs(&filter, 1, text);
	CU_ASSERT_STRING_EQUAL(text, "0+1 ");
	filter = (struct csg_filter){.vms = &vm, .vm_count = 1};
	runs(&filter, 1, text);
	CU_ASSERT_STRING_EQUAL(text, "1+2 4+1 ");
	filter = (struct csg_filter){.vcpus = &vcpu, .vcpu_count = 1, .pids = &pid, .pid_count = 1};
	runs(&filter, 1, text);
	CU_ASSERT_STRING_EQUAL(text, "1+2 3+1 4+1 ");
	filter.tids = &tid;
	filter.tid_count = 1;
	runs(&filter, 1, text);
	CU_ASSERT_STRING_EQUAL(text, "3+1 ");
}

static void times_have_bounds_on_both_sides(void)
{
	struct csg_filter filter = {.begin_time = 10, .end_time = 20};

	CU_ASSERT_FALSE(csg_filter_has_time(&filter, 9));
	CU_ASSERT(csg_filter_has_time(&filter, 10));
	CU_ASSERT(csg_filter_has_time(&filter, 20));
	CU_ASSERT_FALSE(csg_filter_has_time(&filter, 21));
	CU_ASSERT_FALSE(csg_filter_has_time(&filter, 0)); /* not known */
	filter.end_time = 0;
	CU_ASSERT(csg_filter_has_time(&filter, UINT64_MAX));
	filter.begin_time = 0;
	CU_ASSERT(csg_filter_has_time(&filter, 0));
}

static void streams_are_chosen_by_cpu_and_trace_id(void)
{
	const int32_t cpus[] = {1, 3};
	const struct csg_source source = {.cpu = 3, .trace_id = 0x10};
	struct csg_filter filter = {.cpus = cpus, .cpu_count = 2};

	CU_ASSERT(csg_filter_has_source(&filter, &source));
	filter.cpu_count = 1;
	CU_ASSERT_FALSE(csg_filter_has_source(&filter, &source));
	filter = (struct csg_filter){.has_trace_id = true, .trace_id = 0x10};
	CU_ASSERT(csg_filter_has_source(&filter, &source));
	filter.trace_id = 0x12;
	CU_ASSERT_FALSE(csg_filter_has_source(&filter, &source));
}

static void whole_streams_are_no_part_of_one(void)
{
	const int32_t number = 1;
	struct csg_filter filter = {.cpus = &number, .cpu_count = 1, .has_trace_id = true};

	CU_ASSERT_FALSE(csg_filter_is_partial(&filter));
	filter = (struct csg_filter){.begin_time = 1};
	CU_ASSERT(csg_filter_is_partial(&filter));
	filter = (struct csg_filter){.end_time = 1};
	CU_ASSERT(csg_filter_is_partial(&filter));
	filter = (struct csg_filter){.worlds = 1};
	CU_ASSERT(csg_filter_is_partial(&filter));
	filter = (struct csg_filter){.vms = &number, .vm_count = 1};
	CU_ASSERT(csg_filter_is_partial(&filter));
	filter = (struct csg_filter){.vcpus = &number, .vcpu_count = 1};
	CU_ASSERT(csg_filter_is_partial(&filter));
	filter = (struct csg_filter){.pids = &number, .pid_count = 1};
	CU_ASSERT(csg_filter_is_partial(&filter));
	filter = (struct csg_filter){.tids = &number, .tid_count = 1};
	CU_ASSERT(csg_filter_is_partial(&filter));
}

CSG_SUITE(session_run, batch_filter, CSG_TEST(whole_streams_are_no_part_of_one),
	  CSG_TEST(owners_are_let_through_by_what_they_are),
	  CSG_TEST(times_have_bounds_on_both_sides),
	  CSG_TEST(streams_are_chosen_by_cpu_and_trace_id));
