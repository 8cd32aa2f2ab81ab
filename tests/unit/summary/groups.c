/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "fake_exits.h"
#include "summary/groups.h"

static const struct csg_owner owners[] = {
	{.world = CSG_WORLD_UNKNOWN, .vm = -1, .tid = -1, .pid = -1},
	{.world = CSG_WORLD_GUEST, .privilege = CSG_KERNEL, .vm = 42, .tid = 5, .pid = 5},
	{.world = CSG_WORLD_GUEST, .privilege = CSG_USER, .vm = 42, .tid = -1, .pid = -1},
	{.world = CSG_WORLD_HOST, .privilege = CSG_KERNEL, .pid = 42, .tid = 43}, /* vCPU */
	{.world = CSG_WORLD_HOST, .privilege = CSG_USER, .pid = 42, .tid = 42},	  /* VMM */
	{.world = CSG_WORLD_HOST, .privilege = CSG_USER, .pid = 7, .tid = 8},
	{.world = CSG_WORLD_HOST, .privilege = CSG_KERNEL, .pid = 0, .tid = 0},
	{.world = CSG_WORLD_HYPERVISOR, .privilege = CSG_KERNEL, .tid = -1, .pid = -1},
	{.world = CSG_WORLD_GUEST, .privilege = CSG_KERNEL, .vm = -1, .tid = -1, .pid = -1},
	{.world = CSG_WORLD_HOST, .privilege = CSG_KERNEL, .pid = 77, .tid = 78}, /* of two VMs */
	{.world = CSG_WORLD_HOST, .privilege = CSG_KERNEL, .pid = -1, .tid = -1},
};
#define OWNERS (sizeof(owners) / sizeof(*owners))

static const struct csg_vcpu_entry entries[] = {
	{.tid = 43, .vm = 42, .source = CSG_VCPU_BY_NAME},
	{.tid = 78, .vm = 50, .source = CSG_VCPU_BY_NAME},
	{.tid = 78, .vm = 51, .source = CSG_VCPU_BY_EVENT},
	{.tid = 90, .vm = -1, .source = CSG_VCPU_BY_NAME},
	{.tid = 53, .vm = 50, .source = CSG_VCPU_BY_DEBUGFS},
	{.tid = 8, .vm = 7, .source = CSG_VCPU_BY_TRACE},
};
static const struct csg_groups_vcpus vcpus = {entries, 6};

static const struct csg_owner *owner_of(void *arg, uint32_t owner)
{
	(void)arg;
	return &owners[owner];
}

/* As a session says: of those whose process is not known it does not know. */
static int32_t vm_of(void *arg, uint32_t owner)
{
	(void)arg;
	if (owner == 9 || owner == 10)
		return CSG_VM_UNKNOWN;
	return owner == 3 || owner == 4 ? 42 : CSG_VM_HOST;
}

static struct csg_cpu_time sums;
static struct csg_groups groups;

/* Each owner has a power of two, so that a sum tells whose it is. */
static void make(void)
{
	struct csg_lookup lookup = fake_lookup;

	lookup.owner = owner_of;
	lookup.vm_of = vm_of;
	csg_cpu_time_init(&sums);
	for (uint32_t i = 0; i < OWNERS; i++) {
		const struct csg_slice slice = {
			.owner = i, .end = 1u << i, .instructions = 1u << i};

		CU_ASSERT_EQUAL_FATAL(csg_cpu_time_add(&sums, &slice), 0);
	}
	CU_ASSERT_EQUAL_FATAL(csg_cpu_time_add(&sums, &(struct csg_slice){.owner = CSG_SLICE_LOST,
									  .gap = CSG_GAP_OVERFLOW,
									  .end = 1u << OWNERS}),
			      0);
	CU_ASSERT_EQUAL_FATAL(csg_groups_make(&groups, &sums, &vcpus, &lookup), 0);
}

static void drop(void)
{
	csg_groups_fini(&groups);
	csg_cpu_time_fini(&sums);
}

static uint64_t time_of(enum csg_group_kind kind)
{
	struct csg_group *group = csg_groups_of(&groups, kind);

	return group ? group->all.time : 0;
}

static void every_slice_is_in_one_group(void)
{
	uint64_t all = 0;

	make();
	CU_ASSERT_EQUAL(csg_groups_vm(&groups, 42)->all.time, 1 << 1 | 1 << 2 | 1 << 3 | 1 << 4);
	CU_ASSERT_EQUAL(csg_groups_vm(&groups, -1)->all.time, 1 << 8);
	CU_ASSERT_EQUAL(time_of(CSG_GROUP_UNKNOWN), 1);
	CU_ASSERT_EQUAL(time_of(CSG_GROUP_IDLE), 1 << 6);
	CU_ASSERT_EQUAL(time_of(CSG_GROUP_HYPERVISOR), 1 << 7);
	for (size_t i = 0; i < groups.n; i++)
		all += groups.groups[i].all.time;
	CU_ASSERT_EQUAL(all, (2u << OWNERS) - 1);
	drop();
}

static void work_for_a_vm_is_its_own(void)
{
	const struct csg_group *vm;

	make();
	vm = csg_groups_vm(&groups, 42);
	CU_ASSERT_EQUAL(vm->part[CSG_GROUP_GUEST_KERNEL].time, 1 << 1);
	CU_ASSERT_EQUAL(vm->part[CSG_GROUP_GUEST_USER].instructions, 1 << 2);
	CU_ASSERT_EQUAL(vm->part[CSG_GROUP_HOST_KERNEL].time, 1 << 3);
	CU_ASSERT_EQUAL(vm->part[CSG_GROUP_HOST_USER].time, 1 << 4);
	CU_ASSERT_EQUAL(vm->vcpus, 1);
	CU_ASSERT_STRING_EQUAL(vm->name, "web</script>");
	drop();
}

static void of_a_thread_that_is_not_known_nobody_knows_whom_it_works_for(void)
{
	make();
	CU_ASSERT_EQUAL(time_of(CSG_GROUP_HOST), 1 << 5);
	CU_ASSERT_EQUAL(time_of(CSG_GROUP_HOST_OPEN), 1 << 9 | 1 << 10);
	CU_ASSERT_EQUAL(csg_groups_vm(&groups, 50)->all.time, 0);
	drop();
}

static void what_the_trace_alone_shows_is_no_vm(void)
{
	make();
	CU_ASSERT_PTR_NULL(csg_groups_vm(&groups, 7));
	drop();
}

static void vms_come_first_by_their_time(void)
{
	make();
	CU_ASSERT_EQUAL(groups.groups[0].vm, -1);
	CU_ASSERT_EQUAL(groups.groups[1].vm, 42);
	CU_ASSERT_EQUAL(groups.groups[3].vm, 51);
	CU_ASSERT_EQUAL(groups.groups[4].kind, CSG_GROUP_LOST);
	CU_ASSERT_EQUAL(groups.groups[4].gap, CSG_GAP_OVERFLOW);
	CU_ASSERT_EQUAL(groups.groups[5].kind, CSG_GROUP_HOST_OPEN);
	drop();
}

static void exits_are_counted_by_reason(void)
{
	struct csg_exits x = {.by_vm = true};
	const struct csg_group *vm;

	make();
	fake_exits(&x);
	CU_ASSERT_EQUAL(csg_groups_add_exits(&groups, &x), 0);
	vm = csg_groups_vm(&groups, 42);
	CU_ASSERT_EQUAL(vm->exits, 2);
	CU_ASSERT_EQUAL(vm->exit_time, 1226);
	CU_ASSERT_STRING_EQUAL(vm->top[0].handler_name, "kvm_handle_guest_abort");
	CU_ASSERT_EQUAL(vm->top[0].time, 1000);
	CU_ASSERT_FALSE(vm->top[0].fast);
	CU_ASSERT_STRING_EQUAL(vm->top[1].handler_name, "kvm_hyp_handle_fpsimd");
	CU_ASSERT_TRUE(vm->top[1].fast);
	CU_ASSERT_EQUAL(vm->top[2].count, 0);
	CU_ASSERT_EQUAL(vm->idle.count, 0);
	csg_exits_close(&x);
	drop();
}

static void functions_are_the_first_rows_of_each_machine(void)
{
	static const struct csg_report_row rows[] = {
		{.label = {.world = CSG_WORLD_GUEST, .vm = 42}, .symbol = "a", .instructions = 9},
		{.label = {.world = CSG_WORLD_HOST}, .symbol = "h", .instructions = 8},
		{.label = {.world = CSG_WORLD_GUEST, .vm = 42}, .dso = "b", .instructions = 7},
		{.label = {.world = CSG_WORLD_GUEST, .vm = 99}, .symbol = "x", .instructions = 6},
		{.label = {.world = CSG_WORLD_GUEST, .vm = 42}, .symbol = "c", .instructions = 5},
		{.label = {.world = CSG_WORLD_GUEST, .vm = 42}, .symbol = "d", .instructions = 4},
	};
	const struct csg_group *vm;

	make();
	csg_groups_add_functions(&groups, rows, 6);
	vm = csg_groups_vm(&groups, 42);
	CU_ASSERT_EQUAL_FATAL(vm->function_count, CSG_GROUP_TOP);
	CU_ASSERT_STRING_EQUAL(vm->functions[0].symbol, "a");
	CU_ASSERT_STRING_EQUAL(vm->functions[1].dso, "b");
	CU_ASSERT_EQUAL(vm->functions[2].instructions, 5);
	CU_ASSERT_EQUAL(csg_groups_of(&groups, CSG_GROUP_HOST)->function_count, 1);
	drop();
}

CSG_SUITE(summary, groups, CSG_TEST(every_slice_is_in_one_group),
	  CSG_TEST(work_for_a_vm_is_its_own),
	  CSG_TEST(of_a_thread_that_is_not_known_nobody_knows_whom_it_works_for),
	  CSG_TEST(what_the_trace_alone_shows_is_no_vm), CSG_TEST(vms_come_first_by_their_time),
	  CSG_TEST(exits_are_counted_by_reason),
	  CSG_TEST(functions_are_the_first_rows_of_each_machine));
