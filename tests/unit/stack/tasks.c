/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "stack/tasks.h"

static struct csg_owner owner(enum csg_world world, int32_t vm, int32_t tid, int32_t host_tid)
{
	return (struct csg_owner){.world = world, .vm = vm, .tid = tid, .host_tid = host_tid};
}

static struct csg_task *find(struct csg_tasks *tasks, struct csg_owner o, uint32_t stream)
{
	struct csg_task_key key = csg_task_key(&o, stream, false);

	return csg_tasks_find(tasks, &key);
}

static void a_thread_is_the_same_task_on_every_cpu(void)
{
	struct csg_tasks tasks;
	struct csg_owner o = owner(CSG_WORLD_HOST, 0, 77, 77);

	csg_tasks_init(&tasks);
	CU_ASSERT_PTR_EQUAL(find(&tasks, o, 0), find(&tasks, o, 1));
	csg_tasks_fini(&tasks);
}

static void each_cpu_has_its_idle_thread(void)
{
	struct csg_tasks tasks;
	struct csg_owner o = owner(CSG_WORLD_HOST, 0, 0, 0);

	csg_tasks_init(&tasks);
	CU_ASSERT_PTR_NOT_EQUAL(find(&tasks, o, 0), find(&tasks, o, 1));
	csg_tasks_fini(&tasks);
}

static void equal_threads_of_two_machines_are_two_tasks(void)
{
	struct csg_tasks tasks;

	csg_tasks_init(&tasks);
	CU_ASSERT_PTR_NOT_EQUAL(find(&tasks, owner(CSG_WORLD_GUEST, 100, 7, 101), 0),
				find(&tasks, owner(CSG_WORLD_GUEST, 200, 7, 201), 0));
	CU_ASSERT_PTR_NOT_EQUAL(find(&tasks, owner(CSG_WORLD_GUEST, 100, 7, 101), 0),
				find(&tasks, owner(CSG_WORLD_HOST, 0, 7, 7), 0));
	csg_tasks_fini(&tasks);
}

static void a_guest_thread_without_a_name_is_its_vcpus(void)
{
	struct csg_tasks tasks;
	struct csg_owner a = owner(CSG_WORLD_GUEST, 100, -1, 101);
	struct csg_owner b = owner(CSG_WORLD_GUEST, 100, -1, 102);

	csg_tasks_init(&tasks);
	CU_ASSERT_PTR_EQUAL(find(&tasks, a, 0), find(&tasks, a, 1));
	CU_ASSERT_PTR_NOT_EQUAL(find(&tasks, a, 0), find(&tasks, b, 0));
	csg_tasks_fini(&tasks);
}

static void a_hypervisor_has_one_stack_for_each_cpu(void)
{
	struct csg_tasks tasks;

	csg_tasks_init(&tasks);
	CU_ASSERT_PTR_EQUAL(find(&tasks, owner(CSG_WORLD_HYPERVISOR, -1, 5, 5), 0),
			    find(&tasks, owner(CSG_WORLD_HYPERVISOR, -1, 6, 6), 0));
	CU_ASSERT_PTR_NOT_EQUAL(find(&tasks, owner(CSG_WORLD_HYPERVISOR, -1, 5, 5), 0),
				find(&tasks, owner(CSG_WORLD_HYPERVISOR, -1, 5, 5), 1));
	csg_tasks_fini(&tasks);
}

static void many_tasks_and_runners_are_all_found_again(void)
{
	struct csg_tasks tasks;
	static struct csg_task *all[2000];

	csg_tasks_init(&tasks);
	for (int i = 0; i < 2000; i++)
		all[i] = find(&tasks, owner(CSG_WORLD_HOST, 0, i + 1, i + 1), 0);
	for (int i = 0; i < 2000; i++)
		CU_ASSERT_PTR_EQUAL(find(&tasks, owner(CSG_WORLD_HOST, 0, i + 1, i + 1), 3),
				    all[i]);
	CU_ASSERT_PTR_EQUAL(csg_tasks_runner(&tasks, 1, 2, 0), csg_tasks_runner(&tasks, 1, 2, 0));
	CU_ASSERT_PTR_NOT_EQUAL(csg_tasks_runner(&tasks, 1, 2, 0),
				csg_tasks_runner(&tasks, 2, 1, 0));
	CU_ASSERT_PTR_NOT_EQUAL(csg_tasks_runner(&tasks, 1, 2, 0),
				csg_tasks_runner(&tasks, 1, 2, 203));
	csg_tasks_fini(&tasks);
}

static void guests_of_a_guest_have_tasks_of_their_own(void)
{
	struct csg_owner guest = {.world = CSG_WORLD_GUEST,
				  .vm = 1,
				  .tid = -1,
				  .host_tid = 9,
				  .guest_tid = -1,
				  .level = CSG_LEVEL_GUEST};
	const struct csg_task_key key = csg_task_key(&guest, 0, false);
	struct csg_task_key nested;

	guest.level = CSG_LEVEL_NESTED;
	guest.guest_tid = 203;
	nested = csg_task_key(&guest, 0, false);
	CU_ASSERT_EQUAL(nested.guest_tid, 203);
	CU_ASSERT_NOT_EQUAL(memcmp(&key, &nested, sizeof(key)), 0);
	CU_ASSERT_EQUAL(key.guest_tid, 0);
}

CSG_SUITE(stack, tasks, CSG_TEST(guests_of_a_guest_have_tasks_of_their_own),
	  CSG_TEST(a_thread_is_the_same_task_on_every_cpu), CSG_TEST(each_cpu_has_its_idle_thread),
	  CSG_TEST(equal_threads_of_two_machines_are_two_tasks),
	  CSG_TEST(a_guest_thread_without_a_name_is_its_vcpus),
	  CSG_TEST(a_hypervisor_has_one_stack_for_each_cpu),
	  CSG_TEST(many_tasks_and_runners_are_all_found_again));
