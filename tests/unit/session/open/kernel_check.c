/* SPDX-License-Identifier: BSD-3-Clause */
/* The bundled recording, and its kernels as they are or elsewhere. */
#include "session/open/kernel_check.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fixture.h"
#include "image/kernel/kernel_proof.h"
#include "image/machine.h"
#include "suite.h"

#define VMLINUX_MAX 65536

struct heard {
	unsigned int count;
	char text[256];
};

static void hear(void *arg, const struct csg_diag *diag)
{
	struct heard *heard = arg;

	heard->count++;
	snprintf(heard->text, sizeof(heard->text), "%s", diag->text);
}

/* A copy of a vmlinux whose segment lies by this many bytes elsewhere. */
static void copy_vmlinux(const char *from, char to[40], uint64_t moved)
{
	static uint8_t bytes[VMLINUX_MAX];
	FILE *f = fopen(from, "rb");
	Elf64_Phdr load;
	size_t n;
	int fd;

	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	n = fread(bytes, 1, sizeof(bytes), f);
	fclose(f);
	memcpy(&load, bytes + sizeof(Elf64_Ehdr), sizeof(load));
	CU_ASSERT_EQUAL(load.p_type, PT_LOAD);
	load.p_vaddr += moved;
	memcpy(bytes + sizeof(Elf64_Ehdr), &load, sizeof(load));
	strcpy(to, "/tmp/csguest-vmlinux-XXXXXX");
	fd = mkstemp(to);
	CU_ASSERT_FATAL(fd >= 0);
	CU_ASSERT_EQUAL(write(fd, bytes, n), (ssize_t)n);
	close(fd);
}

/* Whether the vmlinux that lies by this many bytes elsewhere is refused. */
static bool refused(enum csg_hypervisor kind, int32_t vm, uint64_t moved)
{
	const struct csg_image_options none = {.buildid_dir = ""};
	struct csg_kernel_options options = {0};
	struct csg_kernel_check check = {.kind = kind, .guests = true};
	struct csg_registry registry;
	struct csg_image *image;
	struct csg_machine *machine;
	struct heard heard = {0};
	const struct csg_diag_sink sink = {hear, &heard};
	char path[40];

	copy_vmlinux(vm ? FIXTURE_DIR "guest/vmlinux" : FIXTURE_DIR "host/vmlinux", path, moved);
	options.vmlinux = path;
	CU_ASSERT_EQUAL_FATAL(csg_recording_load(&check.rec, FIXTURE_DIR "perf.data", NULL, NULL),
			      0);
	CU_ASSERT_EQUAL_FATAL(csg_image_create(&image, &none, &sink), 0);
	CU_ASSERT_EQUAL_FATAL(csg_registry_init(&registry, image, false, true), 0);
	check.registry = &registry;
	machine = vm ? registry.guest : registry.host;
	CU_ASSERT_EQUAL_FATAL(csg_machine_set_kernel(machine, &options), 0);
	CU_ASSERT_TRUE(csg_machine_names_kernel_code(machine));
	CU_ASSERT_EQUAL(csg_check_kernel(&check, vm), 0);
	CU_ASSERT_EQUAL(csg_machine_names_kernel_code(machine), !heard.count);
	CU_ASSERT(!heard.count || strstr(heard.text, "the trace contradicts"));
	csg_registry_fini(&registry);
	csg_image_destroy(image);
	csg_recording_close(check.rec);
	unlink(path);
	return heard.count;
}

static void a_kernel_elsewhere_is_refused(void)
{
	CU_ASSERT_FALSE(refused(CSG_HV_KVM_VHE, CSG_VM_HOST, 0));
	CU_ASSERT_TRUE(refused(CSG_HV_KVM_VHE, CSG_VM_HOST, 0x20));
}

/* Nor where so few places of a guest's ran: they say nothing. */
static void where_packets_do_not_say_whose_kernel_ran_nothing_is_refused(void)
{
	CU_ASSERT_FALSE(refused(CSG_HV_KVM_NVHE, CSG_VM_HOST, 0x20));
	CU_ASSERT_FALSE(refused(CSG_HV_KVM_NVHE, CSG_ONLY_GUEST, 0x20));
	CU_ASSERT_FALSE(refused(CSG_HV_KVM_VHE, CSG_ONLY_GUEST, 0x20));
	CU_ASSERT_FALSE(refused(CSG_HV_UNKNOWN, CSG_VM_HOST, 0x20));
}

CSG_SUITE(session_open, kernel_check, CSG_TEST(a_kernel_elsewhere_is_refused),
	  CSG_TEST(where_packets_do_not_say_whose_kernel_ran_nothing_is_refused));
