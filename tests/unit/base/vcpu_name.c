/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/vcpu_name.h"

#include <stddef.h>

#include "suite.h"

static void names_of_vmms_threads_give_the_number(void)
{
	CU_ASSERT_EQUAL(csg_vcpu_of_name("CPU 0/KVM"), 0);
	CU_ASSERT_EQUAL(csg_vcpu_of_name("CPU 127/KVM"), 127);
	CU_ASSERT_EQUAL(csg_vcpu_of_name("CPU 1/TCG"), -1);
	CU_ASSERT_EQUAL(csg_vcpu_of_name("CPU 1/KVM2"), -1);
	CU_ASSERT_EQUAL(csg_vcpu_of_name("CPU /KVM"), -1);
	CU_ASSERT_EQUAL(csg_vcpu_of_name("fc_vcpu 3"), 3);
	CU_ASSERT_EQUAL(csg_vcpu_of_name("crosvm_vcpu11"), 11);
	CU_ASSERT_EQUAL(csg_vcpu_of_name("kvm-vcpu-0"), 0);
	CU_ASSERT_EQUAL(csg_vcpu_of_name("vcpu2"), 2);
	CU_ASSERT_EQUAL(csg_vcpu_of_name("vcpu"), -1);
	CU_ASSERT_EQUAL(csg_vcpu_of_name("vcpu2x"), -1);
	CU_ASSERT_EQUAL(csg_vcpu_of_name("fc_vcpu"), -1);
	CU_ASSERT_EQUAL(csg_vcpu_of_name("worker 0"), -1);
	CU_ASSERT_EQUAL(csg_vcpu_of_name(NULL), -1);
}

CSG_SUITE(base, vcpu_name, CSG_TEST(names_of_vmms_threads_give_the_number));
