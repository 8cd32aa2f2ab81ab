/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/machine.h"
#include "recording/recording.h"
#include "session/run/registry.h"
#include "suite.h"

struct town {
	struct csg_image *image;
	struct csg_registry registry;
};

static void settle(struct town *town, bool one_space, bool has_guest)
{
	const struct csg_image_options options = {0};
	const struct csg_event fork = {.kind = CSG_EVENT_FORK,
				       .pid = 4100,
				       .tid = 4103,
				       .ppid = 4100,
				       .ptid = 4100,
				       .time = 1};

	CU_ASSERT_EQUAL_FATAL(csg_image_create(&town->image, &options, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(csg_registry_init(&town->registry, town->image, one_space, has_guest),
			      0);
	CU_ASSERT_EQUAL_FATAL(csg_machine_event(town->registry.host, &fork), 0);
}

static void leave(struct town *town)
{
	csg_registry_fini(&town->registry);
	csg_image_destroy(town->image);
}

static struct csg_owner host_user(int32_t pid)
{
	struct csg_owner owner = CSG_OWNER_UNKNOWN;

	owner.world = CSG_WORLD_HOST;
	owner.privilege = CSG_USER;
	owner.reason = CSG_REASON_NONE;
	owner.vm = CSG_VM_HOST;
	owner.pid = pid;
	return owner;
}

static uint32_t number_of(struct town *town, struct csg_owner owner)
{
	int64_t number = csg_registry_number(&town->registry, &owner);

	CU_ASSERT_FATAL(number >= 0);
	return (uint32_t)number;
}

static void a_host_process_that_is_not_known_has_no_code(void)
{
	struct town town;
	uint32_t number;

	settle(&town, false, false);
	number = number_of(&town, host_user(CSG_PID_UNKNOWN));
	CU_ASSERT_PTR_NULL(csg_registry_space(&town.registry, number));
	CU_ASSERT_FALSE(csg_registry_knows(&town.registry, number));
	leave(&town);
}

static void kernel_and_processes_have_spaces_of_their_own(void)
{
	struct csg_owner kernel = host_user(4100);
	uint32_t user, priv;
	struct town town;

	settle(&town, false, false);
	kernel.privilege = CSG_KERNEL;
	user = number_of(&town, host_user(4100));
	priv = number_of(&town, kernel);
	CU_ASSERT_PTR_NOT_NULL(csg_registry_space(&town.registry, user));
	CU_ASSERT_PTR_EQUAL(csg_registry_space(&town.registry, priv),
			    csg_machine_kernel(town.registry.host));
	CU_ASSERT_PTR_NOT_EQUAL(csg_registry_space(&town.registry, priv),
				csg_registry_space(&town.registry, user));
	leave(&town);
}

static struct csg_owner guest(enum csg_privilege privilege, int32_t vm, int32_t pid)
{
	struct csg_owner owner = CSG_OWNER_UNKNOWN;

	owner.world = CSG_WORLD_GUEST;
	owner.privilege = (uint8_t)privilege;
	owner.vm = vm;
	owner.pid = pid;
	return owner;
}

static void nobody_gets_the_hosts_code_for_a_guest(void)
{
	const struct csg_owner kernel = guest(CSG_KERNEL, CSG_VM_UNKNOWN, CSG_PID_UNKNOWN);
	struct town town;
	uint32_t number;

	settle(&town, false, false);
	number = number_of(&town, kernel);
	CU_ASSERT_PTR_NULL(csg_registry_space(&town.registry, number));
	CU_ASSERT(csg_registry_knows(&town.registry, number));
	leave(&town);
	settle(&town, false, true);
	number = number_of(&town, kernel);
	CU_ASSERT_PTR_EQUAL(csg_registry_space(&town.registry, number),
			    csg_machine_kernel(town.registry.guest));
	leave(&town);
}

static void code_of_a_domain_is_not_in_the_snapshot_if_it_has_files(void)
{
	struct csg_space *dump, *kernel;
	struct town town;

	settle(&town, true, false);
	CU_ASSERT_EQUAL(csg_registry_add_domain(&town.registry, 2), 0);
	dump = csg_machine_kernel(town.registry.host);
	kernel = csg_registry_space(&town.registry,
				    number_of(&town, guest(CSG_KERNEL, 2, CSG_PID_UNKNOWN)));
	CU_ASSERT_PTR_NOT_EQUAL(kernel, dump);
	CU_ASSERT_PTR_NULL(csg_registry_space(
		&town.registry, number_of(&town, guest(CSG_USER, 2, CSG_PID_UNKNOWN))));
	CU_ASSERT_PTR_EQUAL(
		csg_registry_space(&town.registry,
				   number_of(&town, guest(CSG_KERNEL, 1, CSG_PID_UNKNOWN))),
		dump);
	leave(&town);
}

static void equal_pids_in_two_guests_are_two_processes(void)
{
	struct csg_space *a, *b;
	struct town town;

	settle(&town, false, false);
	a = csg_registry_space(&town.registry, number_of(&town, guest(CSG_USER, 70, 5)));
	b = csg_registry_space(&town.registry, number_of(&town, guest(CSG_USER, 80, 5)));
	CU_ASSERT_PTR_NOT_NULL(a);
	CU_ASSERT_PTR_NOT_NULL(b);
	CU_ASSERT_PTR_NOT_EQUAL(a, b);
	a = csg_registry_space(&town.registry,
			       number_of(&town, guest(CSG_USER, 70, CSG_PID_UNKNOWN)));
	CU_ASSERT_PTR_NULL(a);
	leave(&town);
}

static void an_unknown_owner_has_nobodys_code_but_a_snapshots_is_everybodys(void)
{
	struct town town;

	settle(&town, false, false);
	CU_ASSERT_PTR_NULL(csg_registry_space(&town.registry, 0));
	leave(&town);
	settle(&town, true, false);
	CU_ASSERT_PTR_EQUAL(csg_registry_space(&town.registry, 0),
			    csg_machine_kernel(town.registry.host));
	leave(&town);
}

CSG_SUITE(session_run, registry, CSG_TEST(a_host_process_that_is_not_known_has_no_code),
	  CSG_TEST(kernel_and_processes_have_spaces_of_their_own),
	  CSG_TEST(nobody_gets_the_hosts_code_for_a_guest),
	  CSG_TEST(code_of_a_domain_is_not_in_the_snapshot_if_it_has_files),
	  CSG_TEST(equal_pids_in_two_guests_are_two_processes),
	  CSG_TEST(an_unknown_owner_has_nobodys_code_but_a_snapshots_is_everybodys));
