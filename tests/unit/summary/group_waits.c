/* SPDX-License-Identifier: BSD-3-Clause */
#include "summary/group_waits.h"

#include <stdlib.h>

#include "waits/switching.h"

static const struct csg_vcpu_entry entries[] = {
	{.tid = 11, .vm = 10}, {.tid = 12, .vm = 10}, {.tid = 21, .vm = 20}, {.tid = 5, .vm = -1}};
static const struct csg_groups_vcpus vcpus = {entries, 4};

static const char *comm(void *arg, int32_t tid)
{
	CU_ASSERT_EQUAL(*(int32_t *)arg, tid);
	return "kworker";
}

/* Of the threads of VM 20's VMM one runs its vCPU, and 22 something else. */
static void record(void)
{
	struct csg_sideband_event vmm = event_of(CSG_SIDEBAND_SWITCH, 0, 140, 20);

	begin();
	in(0, 100, 11, 7);
	switch_to(0, 110, 11, 21, CSG_LEAVE_PREEMPTED);
	out(0, 130, 21, 20, CSG_LEAVE_BLOCKED);
	vmm.other_pid = 20;
	vmm.other_tid = 21;
	add(&vmm);
	switch_to(0, 150, 20, 7, CSG_LEAVE_BLOCKED);
	switch_to(0, 155, 7, 0, CSG_LEAVE_BLOCKED);
	switch_to(0, 158, 0, 12, CSG_LEAVE_PREEMPTED);
	switch_to(0, 180, 12, 11, CSG_LEAVE_BLOCKED);
	finish();
}

static struct csg_group *add_to(struct csg_groups *groups, struct csg_group *list)
{
	int32_t host = 7;
	struct csg_slice_window parts[] = {{100, 130}, {130, 200}};
	const struct csg_slice_windows windows = {parts, 2};
	const struct csg_group_waits from = {
		.waits = &waits, .vcpus = &vcpus, .windows = &windows, .comm = comm, .arg = &host};

	list[0] = (struct csg_group){.kind = CSG_GROUP_VM, .vm = 10};
	list[1] = (struct csg_group){.kind = CSG_GROUP_VM, .vm = 20, .name = "db"};
	list[2] = (struct csg_group){.kind = CSG_GROUP_HOST};
	*groups = (struct csg_groups){.groups = list, .n = 3};
	CU_ASSERT_EQUAL_FATAL(csg_groups_add_waits(groups, &from), 0);
	return list;
}

static void states_of_all_vcpus_add_up(void)
{
	struct csg_groups groups;
	struct csg_group list[3];

	record();
	add_to(&groups, list);
	CU_ASSERT(list[0].has_waits && list[1].has_waits);
	CU_ASSERT_FALSE(list[2].has_waits);
	CU_ASSERT_EQUAL(list[0].waits.time[CSG_WAIT_RUNNING], 10 + 19 + 21);
	CU_ASSERT_EQUAL(list[0].waits.time[CSG_WAIT_PREEMPTED], 71);
	CU_ASSERT_EQUAL(list[0].waits.time[CSG_WAIT_BLOCKED], 20);
	CU_ASSERT_EQUAL(list[0].waits.time[CSG_WAIT_UNKNOWN], 59);
	CU_ASSERT_EQUAL(list[1].waits.time[CSG_WAIT_RUNNING], 19);
	CU_ASSERT_EQUAL(list[1].waits.time[CSG_WAIT_BLOCKED], 70);
	free(list[0].ran);
	free(list[1].ran);
	csg_waits_fini(&waits);
}

static void threads_of_a_vm_are_one(void)
{
	struct csg_groups groups;
	struct csg_group list[3];
	const struct csg_group_ran *ran;

	record();
	add_to(&groups, list);
	ran = list[0].ran;
	CU_ASSERT_EQUAL_FATAL(list[0].ran_count, 4);
	CU_ASSERT_EQUAL(ran[0].vm, 20);
	CU_ASSERT_EQUAL(ran[0].time, 40);
	CU_ASSERT_STRING_EQUAL(ran[0].name, "db");
	CU_ASSERT_EQUAL(ran[1].vm, 10);
	CU_ASSERT_EQUAL(ran[1].time, 22);
	CU_ASSERT_EQUAL(ran[2].vm, CSG_VM_HOST);
	CU_ASSERT_EQUAL(ran[2].tid, 7);
	CU_ASSERT_EQUAL(ran[2].time, 5);
	CU_ASSERT_STRING_EQUAL(ran[2].name, "kworker");
	CU_ASSERT_EQUAL(ran[3].tid, 0);
	CU_ASSERT_PTR_NULL(ran[3].name);
	CU_ASSERT_PTR_NULL(list[1].ran);
	free(list[0].ran);
	csg_waits_fini(&waits);
}

CSG_SUITE(summary, group_waits, CSG_TEST(states_of_all_vcpus_add_up),
	  CSG_TEST(threads_of_a_vm_are_one));
