/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/people.h"
#include "suite.h"

struct town {
	struct csg_image *image;
	struct csg_people people;
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
	CU_ASSERT_EQUAL_FATAL(csg_people_init(&town->people, town->image, one_space, has_guest), 0);
	CU_ASSERT_EQUAL_FATAL(csg_machine_event(town->people.host, &fork), 0);
}

static void leave(struct town *town)
{
	csg_people_fini(&town->people);
	csg_image_destroy(town->image);
}

static struct csg_owner host_user(int32_t tid)
{
	struct csg_owner owner = CSG_OWNER_UNKNOWN;

	owner.world = CSG_WORLD_HOST;
	owner.privilege = CSG_USER;
	owner.reason = CSG_REASON_NONE;
	owner.vm = CSG_VM_HOST;
	owner.tid = owner.host_tid = tid;
	return owner;
}

static const struct csg_chunk any_cpu = {.pid = -1, .tid = -1};

static const struct csg_owner *complete(struct town *town, struct csg_owner owner,
					const struct csg_chunk *chunk)
{
	int64_t number = csg_people_number(&town->people, owner, UINT64_MAX, chunk);

	CU_ASSERT_FATAL(number >= 0);
	return csg_owner_table_get(&town->people.owners, (uint32_t)number);
}

static void a_thread_gets_its_process(void)
{
	struct town town;
	const struct csg_owner *owner;

	settle(&town, false, false);
	owner = complete(&town, host_user(4103), &any_cpu);
	CU_ASSERT_EQUAL(owner->pid, 4100);
	CU_ASSERT_EQUAL(owner->reason, CSG_REASON_NONE);
	leave(&town);
}

static void a_thread_nobody_saw_has_no_process_and_no_code(void)
{
	struct town town;
	int64_t number;

	settle(&town, false, false);
	number = csg_people_number(&town.people, host_user(99), UINT64_MAX, &any_cpu);
	CU_ASSERT_EQUAL(csg_owner_table_get(&town.people.owners, (uint32_t)number)->reason,
			CSG_REASON_NO_THREAD);
	CU_ASSERT_PTR_NULL(csg_people_space(&town.people, (uint32_t)number));
	CU_ASSERT_FALSE(csg_people_knows(&town.people, (uint32_t)number));
	leave(&town);
}

static void a_recording_of_one_thread_names_it(void)
{
	const struct csg_chunk of_thread = {.pid = 4100, .tid = 4103};
	const struct csg_owner *owner;
	struct town town;

	settle(&town, false, false);
	owner = complete(&town, host_user(CSG_PID_UNKNOWN), &of_thread);
	CU_ASSERT_EQUAL(owner->tid, 4103);
	CU_ASSERT_EQUAL(owner->pid, 4100);
	CU_ASSERT(owner->witness & CSG_WITNESS_RECORDING);
	leave(&town);
}

static void kernel_and_processes_have_spaces_of_their_own(void)
{
	struct csg_owner kernel = host_user(4103);
	int64_t user, priv;
	struct town town;

	settle(&town, false, false);
	kernel.privilege = CSG_KERNEL;
	user = csg_people_number(&town.people, host_user(4103), UINT64_MAX, &any_cpu);
	priv = csg_people_number(&town.people, kernel, UINT64_MAX, &any_cpu);
	CU_ASSERT_PTR_NOT_NULL(csg_people_space(&town.people, (uint32_t)user));
	CU_ASSERT_PTR_EQUAL(csg_people_space(&town.people, (uint32_t)priv),
			    csg_machine_kernel(town.people.host));
	CU_ASSERT_PTR_NOT_EQUAL(csg_people_space(&town.people, (uint32_t)priv),
				csg_people_space(&town.people, (uint32_t)user));
	leave(&town);
}

static void nobody_gets_the_hosts_code_for_a_guest(void)
{
	struct csg_owner guest = CSG_OWNER_UNKNOWN;
	struct town town;
	int64_t number;

	guest.world = CSG_WORLD_GUEST;
	guest.privilege = CSG_KERNEL;
	settle(&town, false, false);
	number = csg_people_number(&town.people, guest, UINT64_MAX, &any_cpu);
	CU_ASSERT_PTR_NULL(csg_people_space(&town.people, (uint32_t)number));
	CU_ASSERT(csg_people_knows(&town.people, (uint32_t)number));
	leave(&town);
	settle(&town, false, true);
	number = csg_people_number(&town.people, guest, UINT64_MAX, &any_cpu);
	CU_ASSERT_PTR_EQUAL(csg_people_space(&town.people, (uint32_t)number),
			    csg_machine_kernel(town.people.guest));
	leave(&town);
}

static struct csg_owner guest_kernel(int32_t host_tid)
{
	struct csg_owner guest = CSG_OWNER_UNKNOWN;

	guest.world = CSG_WORLD_GUEST;
	guest.privilege = CSG_KERNEL;
	guest.reason = CSG_REASON_NONE;
	guest.host_tid = host_tid;
	return guest;
}

static void a_guest_is_the_vm_of_the_thread_that_runs_it(void)
{
	const struct csg_vcpu_entry entry = {4103, 4100, 2, CSG_VCPU_BY_NAME};
	const struct csg_owner *owner;
	struct town town;

	settle(&town, false, false);
	owner = complete(&town, guest_kernel(4103), &any_cpu);
	CU_ASSERT_EQUAL(owner->vm, 4100);
	CU_ASSERT_EQUAL(owner->vcpu, CSG_VCPU_UNKNOWN);
	csg_vcpus_add(&town.people.vcpus, &entry);
	owner = complete(&town, guest_kernel(4103), &any_cpu);
	CU_ASSERT_EQUAL(owner->vcpu, 2);
	CU_ASSERT_EQUAL(owner->pid, CSG_PID_UNKNOWN);
	leave(&town);
}

static void witnesses_that_name_two_vms_are_a_conflict(void)
{
	const struct csg_vcpu_entry entry = {4103, 5000, 2, CSG_VCPU_BY_ID_INDEX};
	const struct csg_owner *owner;
	struct town town;

	settle(&town, false, false);
	csg_vcpus_add(&town.people.vcpus, &entry);
	owner = complete(&town, guest_kernel(4103), &any_cpu);
	CU_ASSERT_EQUAL(owner->vm, CSG_VM_UNKNOWN);
	CU_ASSERT_EQUAL(owner->reason, CSG_REASON_CONFLICT);
	leave(&town);
}

static void a_guest_without_context_id_is_some_guest(void)
{
	const struct csg_owner *owner;
	struct town town;

	settle(&town, false, false);
	owner = complete(&town, guest_kernel(CSG_PID_UNKNOWN), &any_cpu);
	CU_ASSERT_EQUAL(owner->world, CSG_WORLD_GUEST);
	CU_ASSERT_EQUAL(owner->vm, CSG_VM_UNKNOWN);
	CU_ASSERT_EQUAL(owner->reason, CSG_REASON_NO_CONTEXT_ID);
	leave(&town);
}

static void an_unknown_owner_has_nobodys_code_but_a_snapshots_is_everybodys(void)
{
	struct town town;

	settle(&town, false, false);
	CU_ASSERT_PTR_NULL(csg_people_space(&town.people, 0));
	leave(&town);
	settle(&town, true, false);
	CU_ASSERT_PTR_EQUAL(csg_people_space(&town.people, 0),
			    csg_machine_kernel(town.people.host));
	leave(&town);
}

static enum csg_world by_default(struct town *town, int32_t tid)
{
	struct csg_owner owner = host_user(tid);

	owner.witness = CSG_WITNESS_POLICY_DEFAULT;
	if (tid != CSG_PID_UNKNOWN)
		owner.witness |= CSG_WITNESS_CONTEXTIDR_EL2;
	return complete(town, owner, &any_cpu)->world;
}

static void where_guests_show_only_threads_of_no_vm_are_the_hosts_by_default(void)
{
	const struct csg_vcpu_entry vcpu = {.tid = 4104, .vm = 4100, .source = CSG_VCPU_BY_NAME};
	const struct csg_event other = {
		.kind = CSG_EVENT_FORK, .pid = 50, .tid = 50, .ppid = 1, .ptid = 1, .time = 1};
	struct town town;

	settle(&town, false, false);
	CU_ASSERT_EQUAL_FATAL(csg_machine_event(town.people.host, &other), 0);
	CU_ASSERT_EQUAL(by_default(&town, CSG_PID_UNKNOWN), CSG_WORLD_HOST);
	CU_ASSERT_EQUAL(by_default(&town, 4103), CSG_WORLD_HOST);
	town.people.guests = true;
	CU_ASSERT_EQUAL(csg_vcpus_add(&town.people.vcpus, &vcpu), 0);
	CU_ASSERT_EQUAL(by_default(&town, 50), CSG_WORLD_HOST);
	CU_ASSERT_EQUAL(by_default(&town, CSG_PID_UNKNOWN), CSG_WORLD_UNKNOWN);
	CU_ASSERT_EQUAL(by_default(&town, 4103), CSG_WORLD_UNKNOWN);
	CU_ASSERT_EQUAL(by_default(&town, 99), CSG_WORLD_UNKNOWN);
	leave(&town);
}

CSG_SUITE(session, people, CSG_TEST(a_thread_gets_its_process),
	  CSG_TEST(a_guest_is_the_vm_of_the_thread_that_runs_it),
	  CSG_TEST(witnesses_that_name_two_vms_are_a_conflict),
	  CSG_TEST(a_guest_without_context_id_is_some_guest),
	  CSG_TEST(a_thread_nobody_saw_has_no_process_and_no_code),
	  CSG_TEST(a_recording_of_one_thread_names_it),
	  CSG_TEST(where_guests_show_only_threads_of_no_vm_are_the_hosts_by_default),
	  CSG_TEST(kernel_and_processes_have_spaces_of_their_own),
	  CSG_TEST(nobody_gets_the_hosts_code_for_a_guest),
	  CSG_TEST(an_unknown_owner_has_nobodys_code_but_a_snapshots_is_everybodys));
