/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/vcpus.h"

#include <stdlib.h>
#include <string.h>

#include "base/thread_lives.h"
#include "suite.h"

static void threads_are_found_whatever_their_order(void)
{
	struct csg_vcpus vcpus = {0};

	for (int32_t i = 0; i < 1000; i++) {
		const struct csg_vcpu_entry entry = {.tid = (i * 37) % 1000, .vm = 5, .vcpu = i};

		CU_ASSERT_EQUAL(csg_vcpus_add(&vcpus, &entry), 0);
	}
	CU_ASSERT_EQUAL(vcpus.count, 1000);
	for (int32_t i = 0; i < 1000; i++)
		CU_ASSERT_EQUAL(csg_vcpus_find(&vcpus, 5, (i * 37) % 1000)->vcpu, i);
	CU_ASSERT_PTR_NULL(csg_vcpus_find(&vcpus, 5, 1000));
	CU_ASSERT_PTR_NULL(csg_vcpus_find(&vcpus, 5, -1));
	csg_vcpus_fini(&vcpus);
}

static struct csg_vcpu_entry reported(enum csg_vcpu_source first, int32_t vm, int32_t vcpu,
				      enum csg_vcpu_source second, int32_t other_vm, int32_t other)
{
	const struct csg_vcpu_entry a = {7, vm, vcpu, (uint8_t)first, false};
	const struct csg_vcpu_entry b = {7, other_vm, other, (uint8_t)second, false};
	struct csg_vcpus vcpus = {0};
	struct csg_vcpu_entry entry;

	csg_vcpus_add(&vcpus, &a);
	csg_vcpus_add(&vcpus, &b);
	csg_vcpus_settle(&vcpus);
	CU_ASSERT_EQUAL(vcpus.count, 1);
	entry = *csg_vcpus_find(&vcpus, CSG_PID_UNKNOWN, 7);
	csg_vcpus_fini(&vcpus);
	return entry;
}

static void the_trace_only_adds_and_the_user_overrules(void)
{
	struct csg_vcpu_entry entry =
		reported(CSG_VCPU_BY_TRACE, 100, CSG_VCPU_UNKNOWN, CSG_VCPU_BY_NAME, 100, 3);

	CU_ASSERT_EQUAL(entry.vcpu, 3);
	entry = reported(CSG_VCPU_BY_NAME, 100, 3, CSG_VCPU_BY_TRACE, 100, CSG_VCPU_UNKNOWN);
	CU_ASSERT_EQUAL(entry.vcpu, 3);
	entry = reported(CSG_VCPU_BY_USER, 100, 3, CSG_VCPU_BY_ID_INDEX, 200, 0);
	CU_ASSERT_EQUAL(entry.vm, 100);
	CU_ASSERT_FALSE(entry.contradicted);
	entry = reported(CSG_VCPU_BY_ID_INDEX, 200, 0, CSG_VCPU_BY_USER, 100, 3);
	CU_ASSERT_EQUAL(entry.vm, 100);
}

static void sources_that_agree_confirm_each_other(void)
{
	struct csg_vcpu_entry entry =
		reported(CSG_VCPU_BY_NAME, 100, 3, CSG_VCPU_BY_ID_INDEX, 100, 3);

	CU_ASSERT_EQUAL(entry.vcpu, 3);
	CU_ASSERT_EQUAL(entry.source, CSG_VCPU_BY_ID_INDEX);
	CU_ASSERT_FALSE(entry.contradicted);
}

static void sources_that_disagree_are_not_put_to_the_vote(void)
{
	struct csg_vcpu_entry entry =
		reported(CSG_VCPU_BY_NAME, 100, 3, CSG_VCPU_BY_ID_INDEX, 100, 4);

	CU_ASSERT_EQUAL(entry.vm, 100);
	CU_ASSERT_EQUAL(entry.vcpu, CSG_VCPU_UNKNOWN);
	CU_ASSERT(entry.contradicted);
	entry = reported(CSG_VCPU_BY_DEBUGFS, 100, 3, CSG_VCPU_BY_ID_INDEX, 200, 3);
	CU_ASSERT_EQUAL(entry.vm, CSG_VM_UNKNOWN);
	CU_ASSERT_EQUAL(entry.vcpu, CSG_VCPU_UNKNOWN);
}

static void an_event_is_of_some_vcpu_of_its_process(void)
{
	struct csg_vcpu_entry entry =
		reported(CSG_VCPU_BY_EVENT, 100, CSG_VCPU_UNKNOWN, CSG_VCPU_BY_NAME, 100, 3);

	CU_ASSERT_EQUAL(entry.vcpu, 3);
	CU_ASSERT_EQUAL(entry.source, CSG_VCPU_BY_NAME);
	entry = reported(CSG_VCPU_BY_NAME, 100, 3, CSG_VCPU_BY_EVENT, 100, CSG_VCPU_UNKNOWN);
	CU_ASSERT_EQUAL(entry.vcpu, 3);
	CU_ASSERT_FALSE(entry.contradicted);
	entry = reported(CSG_VCPU_BY_TRACE, 100, CSG_VCPU_UNKNOWN, CSG_VCPU_BY_EVENT, 100,
			 CSG_VCPU_UNKNOWN);
	CU_ASSERT_EQUAL(entry.vm, 100);
	CU_ASSERT_EQUAL(entry.source, CSG_VCPU_BY_EVENT);
	entry = reported(CSG_VCPU_BY_ID_INDEX, 200, 0, CSG_VCPU_BY_EVENT, 100, CSG_VCPU_UNKNOWN);
	CU_ASSERT_EQUAL(entry.vm, CSG_VM_UNKNOWN);
	CU_ASSERT_EQUAL(entry.vcpu, CSG_VCPU_UNKNOWN);
	CU_ASSERT(entry.contradicted);
}

/* Thread 7 was of processes 100 and 200; nothing is known of another thread. */
static int of_two(void *arg, int32_t tid, int32_t pid)
{
	(void)arg;
	if (tid != 7)
		return -1;
	return pid == 100 || pid == 200;
}

static void add_both(struct csg_vcpus *vcpus, enum csg_vcpu_source source, int32_t other)
{
	const struct csg_vcpu_entry a = {7, 100, 3, (uint8_t)source, false};
	const struct csg_vcpu_entry b = {7, other, 4, CSG_VCPU_BY_ID_INDEX, false};

	*vcpus = (struct csg_vcpus){.was = of_two};
	csg_vcpus_add(vcpus, &a);
	csg_vcpus_add(vcpus, &b);
	csg_vcpus_settle(vcpus);
}

static void a_tid_that_comes_back_is_a_vcpu_of_each_vm_in_its_time(void)
{
	struct csg_vcpus vcpus;

	add_both(&vcpus, CSG_VCPU_BY_NAME, 200);
	CU_ASSERT_EQUAL(vcpus.count, 2);
	CU_ASSERT_EQUAL(csg_vcpus_find(&vcpus, 100, 7)->vcpu, 3);
	CU_ASSERT_EQUAL(csg_vcpus_find(&vcpus, 200, 7)->vcpu, 4);
	CU_ASSERT_PTR_NULL(csg_vcpus_find(&vcpus, 7, 7));
	CU_ASSERT_PTR_NULL(csg_vcpus_find(&vcpus, CSG_PID_UNKNOWN, 7));
	CU_ASSERT_PTR_NULL(csg_vcpus_find(&vcpus, CSG_PID_SEVERAL, 7));
	CU_ASSERT_EQUAL(csg_vcpus_vm_of(&vcpus, 200, 7), 200);
	CU_ASSERT_EQUAL(csg_vcpus_vm_of(&vcpus, CSG_PID_SEVERAL, 7), CSG_VM_UNKNOWN);
	CU_ASSERT_EQUAL(csg_vcpus_vm_of(&vcpus, 7, 7), CSG_VM_HOST);
	csg_vcpus_fini(&vcpus);
	add_both(&vcpus, CSG_VCPU_BY_USER, 200);
	CU_ASSERT_EQUAL(csg_vcpus_find(&vcpus, 200, 7)->vcpu, 4);
	csg_vcpus_fini(&vcpus);
}

static void the_vm_of_a_process_that_it_never_was_of_is_a_contradiction(void)
{
	struct csg_vcpus vcpus;

	add_both(&vcpus, CSG_VCPU_BY_NAME, 300);
	CU_ASSERT_EQUAL(vcpus.count, 1);
	CU_ASSERT_EQUAL(csg_vcpus_find(&vcpus, 100, 7)->vm, CSG_VM_UNKNOWN);
	CU_ASSERT(csg_vcpus_find(&vcpus, CSG_PID_SEVERAL, 7)->contradicted);
	csg_vcpus_fini(&vcpus);
	/* One that stands alone as well, for whoever knows the process. */
	vcpus = (struct csg_vcpus){.was = of_two};
	csg_vcpus_add(&vcpus, &(struct csg_vcpu_entry){7, 300, 3, CSG_VCPU_BY_USER, false});
	csg_vcpus_settle(&vcpus);
	CU_ASSERT_EQUAL(csg_vcpus_find(&vcpus, 100, 7)->vm, 300);
	csg_vcpus_fini(&vcpus);
}

static void any_other_thread_of_a_vmm_may_be_a_vcpu(void)
{
	const struct csg_vcpu_entry known = {.tid = 103, .vm = 100, .vcpu = 0};
	const struct csg_vcpu_entry disputed = {.tid = 203, .vm = CSG_VM_UNKNOWN, .vcpu = 0};
	struct csg_vcpus vcpus = {0};

	CU_ASSERT_EQUAL(csg_vcpus_vm_of(&vcpus, 100, 104), CSG_VM_HOST);
	csg_vcpus_add(&vcpus, &known);
	csg_vcpus_add(&vcpus, &disputed);
	CU_ASSERT(csg_vcpus_is_vmm(&vcpus, 100));
	CU_ASSERT_FALSE(csg_vcpus_is_vmm(&vcpus, 200));
	CU_ASSERT_EQUAL(csg_vcpus_vm_of(&vcpus, 100, 103), 100);
	CU_ASSERT_EQUAL(csg_vcpus_vm_of(&vcpus, 100, 104), 100);
	CU_ASSERT_EQUAL(csg_vcpus_vm_of(&vcpus, 200, 203), CSG_VM_UNKNOWN);
	CU_ASSERT_EQUAL(csg_vcpus_vm_of(&vcpus, -1, 7), CSG_VM_UNKNOWN);
	CU_ASSERT_EQUAL(csg_vcpus_vm_of(&vcpus, 7, 7), CSG_VM_HOST);
	CU_ASSERT_EQUAL(csg_vcpus_vm_of(&vcpus, 0, 0), CSG_VM_HOST);
	CU_ASSERT(csg_vcpus_may_run(&vcpus, 100, 104, 100));
	CU_ASSERT(csg_vcpus_may_run(&vcpus, 100, 104, CSG_VM_UNKNOWN));
	CU_ASSERT_FALSE(csg_vcpus_may_run(&vcpus, 100, 104, 300));
	CU_ASSERT(csg_vcpus_may_run(&vcpus, 200, 203, 300));
	CU_ASSERT_FALSE(csg_vcpus_may_run(&vcpus, 7, 7, CSG_VM_UNKNOWN));
	CU_ASSERT_FALSE(csg_vcpus_may_run(&vcpus, 0, 0, CSG_VM_UNKNOWN));
	csg_vcpus_fini(&vcpus);
}

static int32_t vm_of_main_of(int32_t vmm, enum csg_vcpu_source first, enum csg_vcpu_source second)
{
	const struct csg_vcpu_entry one = {.tid = 103, .vm = vmm, .source = (uint8_t)first};
	const struct csg_vcpu_entry two = {.tid = 104, .vm = vmm, .source = (uint8_t)second};
	struct csg_vcpus vcpus = {0};
	int32_t vm;

	csg_vcpus_add(&vcpus, &one);
	csg_vcpus_add(&vcpus, &two);
	vm = csg_vcpus_vm_of(&vcpus, vmm, 100);
	csg_vcpus_fini(&vcpus);
	return vm;
}

static int32_t vm_of_main(enum csg_vcpu_source first, enum csg_vcpu_source second)
{
	return vm_of_main_of(100, first, second);
}

static void the_main_thread_of_qemu_runs_none(void)
{
	CU_ASSERT_EQUAL(vm_of_main(CSG_VCPU_BY_NAME, CSG_VCPU_BY_TRACE), CSG_VM_HOST);
	CU_ASSERT_EQUAL(vm_of_main(CSG_VCPU_BY_USER, CSG_VCPU_BY_ID_INDEX), CSG_VM_HOST);
	CU_ASSERT_EQUAL(vm_of_main(CSG_VCPU_BY_TRACE, CSG_VCPU_BY_DEBUGFS), CSG_VM_HOST);
	/* A VMM of another kind may have its first vCPU there. */
	CU_ASSERT_EQUAL(vm_of_main(CSG_VCPU_BY_USER, CSG_VCPU_BY_TRACE), 100);
}

/* The second VM with this PID. */
static void the_main_thread_has_the_pid_whatever_the_vms_number(void)
{
	const int32_t again = 100 + 2 * CSG_VM_AGAIN;

	CU_ASSERT_EQUAL(vm_of_main_of(again, CSG_VCPU_BY_NAME, CSG_VCPU_BY_TRACE), CSG_VM_HOST);
	CU_ASSERT_EQUAL(vm_of_main_of(again, CSG_VCPU_BY_USER, CSG_VCPU_BY_TRACE), again);
}

static void threads_of_a_vmm_work_for_its_vm(void)
{
	const struct csg_vcpu_entry named = {.tid = 103, .vm = 100, .source = CSG_VCPU_BY_NAME};
	const struct csg_vcpu_entry traced = {.tid = 203, .vm = 200, .source = CSG_VCPU_BY_TRACE};
	struct csg_vcpus vcpus = {0};

	csg_vcpus_add(&vcpus, &named);
	csg_vcpus_add(&vcpus, &traced);
	CU_ASSERT_EQUAL(csg_vcpus_works_for(&vcpus, 100, 103), 100);
	CU_ASSERT_EQUAL(csg_vcpus_works_for(&vcpus, 100, 100), 100);
	CU_ASSERT_EQUAL(csg_vcpus_works_for(&vcpus, CSG_PID_UNKNOWN, 103), 100);
	CU_ASSERT_EQUAL(csg_vcpus_works_for(&vcpus, 7, 7), CSG_VM_HOST);
	CU_ASSERT_EQUAL(csg_vcpus_works_for(&vcpus, 0, 0), CSG_VM_HOST);
	CU_ASSERT_EQUAL(csg_vcpus_works_for(&vcpus, CSG_PID_UNKNOWN, 8), CSG_VM_UNKNOWN);
	/* A process that nothing but the trace takes for a VMM. */
	CU_ASSERT_EQUAL(csg_vcpus_works_for(&vcpus, 200, 203), CSG_VM_UNKNOWN);
	CU_ASSERT_EQUAL(csg_vcpus_works_for(&vcpus, 200, 200), CSG_VM_UNKNOWN);
	csg_vcpus_fini(&vcpus);
}

static int was_of_even(void *arg, int32_t tid, int32_t pid)
{
	(void)arg;
	(void)tid;
	return pid % 2 == 0;
}

/* For how many VMs the table gives another answer than its entries do. */
static unsigned wrong_by_vm(const struct csg_vcpus *vcpus)
{
	unsigned wrong = 0;

	for (int32_t vm = CSG_VM_UNKNOWN; vm < 12; vm++) {
		bool any = false, named = false;

		for (size_t i = 0; i < vcpus->count; i++) {
			any |= vcpus->entries[i].vm == vm;
			named |= vcpus->entries[i].vm == vm &&
				 vcpus->entries[i].source != CSG_VCPU_BY_TRACE;
		}
		wrong += csg_vcpus_is_vmm(vcpus, vm) != any;
		wrong += csg_vcpus_names_vmm(vcpus, vm) != named;
	}
	return wrong;
}

static void what_is_known_of_a_vm_is_what_its_entries_say(void)
{
	struct csg_vcpus vcpus = {.was = was_of_even};
	struct csg_vcpu_entry *copy;
	uint32_t dice = 7;

	for (int i = 0; i < 300; i++) {
		struct csg_vcpu_entry entry;

		dice = dice * 1664525u + 1013904223u;
		entry = (struct csg_vcpu_entry){.tid = 1 + (int32_t)(dice >> 28),
						.vm = 1 + (int32_t)(dice >> 20) % 9,
						.vcpu = (int32_t)(dice >> 12) % 4,
						.source =
							(uint8_t)((dice >> 4) % CSG_VCPU_BY_USER)};
		CU_ASSERT_EQUAL(csg_vcpus_add(&vcpus, &entry), 0);
		CU_ASSERT_EQUAL(wrong_by_vm(&vcpus), 0);
	}
	copy = calloc(vcpus.count, sizeof(*copy));
	CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
	memcpy(copy, vcpus.entries, vcpus.count * sizeof(*copy));
	csg_vcpus_settle(&vcpus);
	CU_ASSERT(csg_vcpus_is_vmm(&vcpus, CSG_VM_UNKNOWN));
	CU_ASSERT_EQUAL(wrong_by_vm(&vcpus), 0);
	CU_ASSERT_EQUAL(csg_vcpus_replace(&vcpus, copy, 5), 0);
	CU_ASSERT_EQUAL(wrong_by_vm(&vcpus), 0);
	csg_vcpus_fini(&vcpus);
}

CSG_SUITE(guest_facts, vcpus, CSG_TEST(threads_are_found_whatever_their_order),
	  CSG_TEST(the_trace_only_adds_and_the_user_overrules),
	  CSG_TEST(sources_that_agree_confirm_each_other),
	  CSG_TEST(sources_that_disagree_are_not_put_to_the_vote),
	  CSG_TEST(an_event_is_of_some_vcpu_of_its_process),
	  CSG_TEST(a_tid_that_comes_back_is_a_vcpu_of_each_vm_in_its_time),
	  CSG_TEST(the_vm_of_a_process_that_it_never_was_of_is_a_contradiction),
	  CSG_TEST(any_other_thread_of_a_vmm_may_be_a_vcpu),
	  CSG_TEST(the_main_thread_of_qemu_runs_none),
	  CSG_TEST(the_main_thread_has_the_pid_whatever_the_vms_number),
	  CSG_TEST(threads_of_a_vmm_work_for_its_vm),
	  CSG_TEST(what_is_known_of_a_vm_is_what_its_entries_say));
