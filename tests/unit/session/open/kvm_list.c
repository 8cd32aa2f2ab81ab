/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/open/kvm_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "csguest/error.h"
#include "suite.h"

static void a_line_names_thread_vm_and_number(void)
{
	struct csg_vcpu_entry entry;

	CU_ASSERT(csg_kvm_list_line("/sys/kernel/debug/kvm/4100-11/vcpu2/pid:4103", &entry));
	CU_ASSERT_EQUAL(entry.vm, 4100);
	CU_ASSERT_EQUAL(entry.vcpu, 2);
	CU_ASSERT_EQUAL(entry.tid, 4103);
	CU_ASSERT_EQUAL(entry.source, CSG_VCPU_BY_DEBUGFS);
	CU_ASSERT(csg_kvm_list_line("138-9/vcpu0/pid:143", &entry));
	CU_ASSERT_EQUAL(entry.vm, 138);
}

static void anything_else_names_none(void)
{
	static const char *const lines[] = {"",
					    "4103",
					    "/sys/kernel/debug/kvm/4100-11/vcpu2/halt_poll_ns:5",
					    "/vcpu0/pid:5",
					    "4100/vcpu0/pid:5",
					    "4100-/vcpu0/pid:5",
					    "4100-1/vcpu/pid:5",
					    "4100-1/vcpu0/pid:",
					    "4100-1/vcpu0/pid:0",
					    "4100-1/vcpu0/pid:5x",
					    "4100-1/vcpu0/pid:99999999999",
					    "x4100-1/vcpu0/pid:5"};
	struct csg_vcpu_entry entry;

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		CU_ASSERT_FALSE(csg_kvm_list_line(lines[i], &entry));
}

static int load(const char *text, struct csg_attribution *a)
{
	char path[] = "/tmp/csguest-kvm-XXXXXX";
	int fd = mkstemp(path), err;
	FILE *f = fdopen(fd, "w");

	fputs(text, f);
	fclose(f);
	err = csg_kvm_list_load(a, path, NULL);
	unlink(path);
	return err;
}

static void a_list_is_stated_as_a_whole(void)
{
	const struct csg_attribution_options options = {.size = sizeof(options),
							.hypervisor = CSG_HV_KVM_VHE};
	struct csg_attribution *a;

	CU_ASSERT_EQUAL_FATAL(csg_attribution_create(&a, &options), 0);
	CU_ASSERT_EQUAL(load("x\n/d/10-3/vcpu0/pid:11\n/d/10-3/vcpu1/pid:12\n", a), 0);
	CU_ASSERT_EQUAL(csg_attribution_vcpu_of(a, 12)->vcpu, 1);
	CU_ASSERT_EQUAL(csg_attribution_vcpu_of(a, 11)->vm, 10);
	CU_ASSERT_EQUAL(load("nothing of this kind\n", a), -CSG_E_CORRUPT);
	CU_ASSERT_EQUAL(csg_kvm_list_load(a, "/nowhere/list", NULL), -CSG_E_NOT_FOUND);
	csg_attribution_destroy(a);
}

CSG_SUITE(session_open, kvm_list, CSG_TEST(a_line_names_thread_vm_and_number),
	  CSG_TEST(anything_else_names_none), CSG_TEST(a_list_is_stated_as_a_whole));
