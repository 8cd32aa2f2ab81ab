/* SPDX-License-Identifier: BSD-3-Clause */
#include "collect/vm_identity.h"

#include <string.h>

#include "suite.h"

#define OPTIONS(line) by_options(line, sizeof(line))

static struct csg_vm_identity vm;

/* The terminating 0 of a literal ends its last word. */
static const char *by_options(const char *line, size_t size)
{
	vm = (struct csg_vm_identity){0};
	csg_vm_identity_by_options(&vm, line, size);
	return vm.name;
}

static const char *by_cgroup(const char *line)
{
	vm = (struct csg_vm_identity){0};
	csg_vm_identity_by_cgroup(&vm, line);
	return vm.name;
}

static void qemu_names_its_vm(void)
{
	CU_ASSERT_STRING_EQUAL(OPTIONS("qemu\0-name\0web\0-smp\0002"), "web");
	CU_ASSERT_STRING_EQUAL(OPTIONS("qemu\0-name\0web,debug-threads=on"), "web");
	CU_ASSERT_STRING_EQUAL(OPTIONS("qemu\0-name\0debug-threads=on,guest=db"), "db");
	CU_ASSERT_STRING_EQUAL(OPTIONS("qemu\0-name\0my web"), "my_web");
	CU_ASSERT_STRING_EQUAL(OPTIONS("qemu\0-uuid\0c7a5fdbd-edaf-9455-926a-d65c16db1809"), "");
	CU_ASSERT_STRING_EQUAL(vm.uuid, "c7a5fdbd-edaf-9455-926a-d65c16db1809");
	CU_ASSERT_STRING_EQUAL(OPTIONS("qemu\0-name"), "");
}

static void a_word_without_its_end_is_not_read(void)
{
	CU_ASSERT_STRING_EQUAL(by_options("qemu\0-name\0web", 13), "");
	CU_ASSERT_STRING_EQUAL(by_options("", 0), "");
}

static void libvirts_scope_has_the_name(void)
{
	CU_ASSERT_STRING_EQUAL(
		by_cgroup("0::/machine.slice/machine-qemu\\x2d3\\x2dweb\\x2d1.scope/libvirt\n"),
		"web-1");
	CU_ASSERT_STRING_EQUAL(by_cgroup("0::/machine.slice/machine-mine.scope\n"), "mine");
	CU_ASSERT_STRING_EQUAL(by_cgroup("0::/user.slice/user-0.slice\n"), "");
	CU_ASSERT_STRING_EQUAL(by_cgroup("0::/machine-a/b.scope\n"), "");
}

static void a_pod_has_its_uid(void)
{
	CU_ASSERT_STRING_EQUAL(by_cgroup("0::/kubepods.slice/kubepods-burstable.slice/"
					 "kubepods-burstable-pod0f1e2d3c_4b5a_6978_8796_"
					 "a5b4c3d2e1f0.slice/cri-containerd-1.scope\n"),
			       "pod-0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0");
	CU_ASSERT_STRING_EQUAL(vm.uuid, "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0");
	CU_ASSERT_STRING_EQUAL(by_cgroup("0::/kubepods.slice/kubepods-podx.slice\n"), "");
}

static void some_may_have_no_name(void)
{
	const struct csg_vm_identity vms[] = {{.pid = 1}, {.pid = 2, .uuid = "u"}};

	CU_ASSERT_FALSE(csg_vm_identity_any(vms, 1));
	CU_ASSERT(csg_vm_identity_any(vms, 2));
}

CSG_SUITE(collect, vm_identity, CSG_TEST(qemu_names_its_vm),
	  CSG_TEST(a_word_without_its_end_is_not_read), CSG_TEST(libvirts_scope_has_the_name),
	  CSG_TEST(a_pod_has_its_uid), CSG_TEST(some_may_have_no_name));
