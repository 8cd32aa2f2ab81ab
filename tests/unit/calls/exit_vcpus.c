/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls/exit_vcpus.h"

#include "suite.h"

static void a_vcpu_is_the_thread_of_the_host_that_runs_it(void)
{
	struct csg_owner guest = CSG_OWNER_UNKNOWN;
	struct csg_exit_vcpu *list = NULL, *v;

	guest.vm = 42;
	guest.host_tid = 503;
	v = csg_exit_vcpu_of(&list, &guest, 0);
	CU_ASSERT_PTR_NOT_NULL_FATAL(v);
	CU_ASSERT_PTR_EQUAL(csg_exit_vcpu_of(&list, &guest, 1), v);
	guest.host_tid = 504;
	CU_ASSERT_PTR_NOT_EQUAL(csg_exit_vcpu_of(&list, &guest, 0), v);
	guest.host_tid = CSG_PID_UNKNOWN;
	v = csg_exit_vcpu_of(&list, &guest, 0);
	CU_ASSERT_PTR_NOT_EQUAL(csg_exit_vcpu_of(&list, &guest, 1), v);
	guest.vm = 43;
	CU_ASSERT_PTR_NOT_EQUAL(csg_exit_vcpu_of(&list, &guest, 0), v);
	csg_exit_vcpus_fini(&list);
	CU_ASSERT_PTR_NULL(list);
}

CSG_SUITE(calls, exit_vcpus, CSG_TEST(a_vcpu_is_the_thread_of_the_host_that_runs_it));
