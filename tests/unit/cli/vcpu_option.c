/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/vcpu_option.h"

#include <fcntl.h>
#include <unistd.h>

#include "csguest/error.h"
#include "suite.h"

static void a_thread_runs_a_vcpu_of_a_vm(void)
{
	struct csg_vcpu_list list = {.command = "test"};

	CU_ASSERT_EQUAL(csg_vcpu_option(&list, "4103=4100:0"), 0);
	CU_ASSERT_EQUAL(csg_vcpu_option(&list, "4104=4100:1"), 0);
	CU_ASSERT_EQUAL_FATAL(list.count, 2);
	CU_ASSERT_EQUAL(list.vcpus[1].tid, 4104);
	CU_ASSERT_EQUAL(list.vcpus[1].vm, 4100);
	CU_ASSERT_EQUAL(list.vcpus[1].vcpu, 1);
	CU_ASSERT_EQUAL(list.vcpus[1].source, CSG_VCPU_BY_USER);
	csg_vcpu_list_fini(&list);
}

static void anything_else_is_refused(void)
{
	static const char *const bad[] = {"",	   "5",	     "5=6",    "5=6:",	 "0=6:0",
					  "5=0:0", "5=6:-1", "5=6:0x", "-5=6:0", "a=b:c"};
	struct csg_vcpu_list list = {.command = "test"};
	int saved = dup(STDERR_FILENO), null = open("/dev/null", O_WRONLY);

	dup2(null, STDERR_FILENO);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CU_ASSERT_EQUAL(csg_vcpu_option(&list, bad[i]), -CSG_E_USAGE);
	dup2(saved, STDERR_FILENO);
	close(saved);
	close(null);
	CU_ASSERT_EQUAL(list.count, 0);
}

CSG_SUITE(cli, vcpu_option, CSG_TEST(a_thread_runs_a_vcpu_of_a_vm),
	  CSG_TEST(anything_else_is_refused));
