/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/vcpus.h"
#include "suite.h"

static void qemus_thread_names_give_the_number(void)
{
	CU_ASSERT_EQUAL(csg_vcpu_of_name("CPU 0/KVM"), 0);
	CU_ASSERT_EQUAL(csg_vcpu_of_name("CPU 127/KVM"), 127);
	CU_ASSERT_EQUAL(csg_vcpu_of_name("CPU 1/TCG"), -1);
	CU_ASSERT_EQUAL(csg_vcpu_of_name("CPU 1/KVM2"), -1);
	CU_ASSERT_EQUAL(csg_vcpu_of_name("CPU /KVM"), -1);
	CU_ASSERT_EQUAL(csg_vcpu_of_name("kvm-vcpu-0"), -1);
	CU_ASSERT_EQUAL(csg_vcpu_of_name(NULL), -1);
}

static void threads_are_found_whatever_their_order(void)
{
	struct csg_vcpus vcpus = {0};

	for (int32_t i = 0; i < 1000; i++) {
		const struct csg_vcpu_entry entry = {.tid = (i * 37) % 1000, .vm = 5, .vcpu = i};

		CU_ASSERT_EQUAL(csg_vcpus_add(&vcpus, &entry), 0);
	}
	CU_ASSERT_EQUAL(vcpus.count, 1000);
	for (int32_t i = 0; i < 1000; i++)
		CU_ASSERT_EQUAL(csg_vcpus_find(&vcpus, (i * 37) % 1000)->vcpu, i);
	CU_ASSERT_PTR_NULL(csg_vcpus_find(&vcpus, 1000));
	CU_ASSERT_PTR_NULL(csg_vcpus_find(&vcpus, -1));
	csg_vcpus_fini(&vcpus);
}

static void the_more_certain_source_overrules(void)
{
	const struct csg_vcpu_entry name = {7, 100, 0, CSG_VCPU_BY_NAME};
	const struct csg_vcpu_entry index = {7, 200, 3, CSG_VCPU_BY_ID_INDEX};
	struct csg_vcpus vcpus = {0};

	csg_vcpus_add(&vcpus, &name);
	csg_vcpus_add(&vcpus, &index);
	CU_ASSERT_EQUAL(csg_vcpus_find(&vcpus, 7)->vm, 200);
	csg_vcpus_add(&vcpus, &name);
	CU_ASSERT_EQUAL(csg_vcpus_find(&vcpus, 7)->vm, 200);
	CU_ASSERT_EQUAL(vcpus.count, 1);
	csg_vcpus_fini(&vcpus);
}

CSG_SUITE(guest, vcpus, CSG_TEST(qemus_thread_names_give_the_number),
	  CSG_TEST(threads_are_found_whatever_their_order),
	  CSG_TEST(the_more_certain_source_overrules));
