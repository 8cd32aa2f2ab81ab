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

/* A kernel's file is compared with the trace, or with what is known to have run. */
struct compared {
	enum csg_hypervisor kind;
	int32_t vm;
	uint64_t moved; /* the file lies by this many bytes elsewhere */
	const struct csg_kernel_samples *known;
};

/* Whether the file is refused; files get what came of it. */
static bool compare(const struct compared *c, struct csg_checked_kernels *files)
{
	const struct csg_image_options none = {.buildid_dir = ""};
	struct csg_kernel_options options = {0};
	struct csg_kernel_check check = {
		.trace = {.kind = c->kind, .guests = true}, .known = c->known, .files = files};
	struct csg_registry registry;
	struct csg_image *image;
	struct csg_machine *machine;
	struct heard heard = {0};
	const struct csg_diag_sink sink = {hear, &heard};
	char path[40];

	copy_vmlinux(c->vm ? FIXTURE_DIR "guest/vmlinux" : FIXTURE_DIR "host/vmlinux", path,
		     c->moved);
	options.vmlinux = path;
	CU_ASSERT_EQUAL_FATAL(
		csg_recording_load(&check.trace.rec, FIXTURE_DIR "perf.data", NULL, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(csg_image_create(&image, &none, &sink), 0);
	CU_ASSERT_EQUAL_FATAL(csg_registry_init(&registry, image, false, true), 0);
	check.trace.registry = &registry;
	machine = c->vm ? registry.guest : registry.host;
	CU_ASSERT_EQUAL_FATAL(csg_machine_set_kernel(machine, &options), 0);
	CU_ASSERT_TRUE(csg_machine_names_kernel_code(machine));
	CU_ASSERT_EQUAL(csg_check_kernel(&check, c->vm), 0);
	CU_ASSERT_EQUAL(csg_machine_names_kernel_code(machine), !heard.count);
	CU_ASSERT(!heard.count || strstr(heard.text, "the trace contradicts"));
	csg_registry_fini(&registry);
	csg_image_destroy(image);
	csg_recording_close(check.trace.rec);
	unlink(path);
	return heard.count;
}

static bool refused(enum csg_hypervisor kind, int32_t vm, uint64_t moved)
{
	return compare(&(struct compared){.kind = kind, .vm = vm, .moved = moved}, NULL);
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

/* The last of the files. */
static const struct csg_kernel_file *last(const struct csg_checked_kernels *files)
{
	CU_ASSERT_TRUE_FATAL(files->count > 0);
	return &files->list[files->count - 1];
}

/* As the trace says it agrees. */
static void agrees_as_before(const struct csg_checked_kernels *now,
			     const struct csg_checked_kernels *before)
{
	CU_ASSERT_EQUAL(last(now)->state, CSG_KERNEL_FILE_AGREES);
	CU_ASSERT_EQUAL(last(now)->branches, last(before)->branches);
}

static void what_is_known_to_have_run_is_compared_without_the_trace(void)
{
	struct csg_checked_kernels files = {0}, again = {0}, blind = {0};
	struct compared c = {.kind = CSG_HV_KVM_VHE, .vm = CSG_VM_HOST};

	CU_ASSERT_FALSE(compare(&c, &files));
	CU_ASSERT_EQUAL_FATAL(files.samples.count, 1);
	/* Of it the trace says nothing. */
	c.kind = CSG_HV_UNKNOWN;
	CU_ASSERT_FALSE(compare(&c, &blind));
	CU_ASSERT_EQUAL(last(&blind)->state, CSG_KERNEL_FILE_NOT_CHECKED);
	c.known = &files.samples;
	CU_ASSERT_FALSE(compare(&c, &again));
	agrees_as_before(&again, &files);
	csg_checked_kernels_fini(&files);
	csg_checked_kernels_fini(&again);
	csg_checked_kernels_fini(&blind);
}

/* Another file than the one that agreed. */
static void what_does_not_agree_with_it_is_compared_with_the_trace(void)
{
	struct csg_checked_kernels files = {0}, moved = {0};
	struct compared c = {.kind = CSG_HV_KVM_VHE, .vm = CSG_VM_HOST};

	CU_ASSERT_FALSE(compare(&c, &files));
	c.known = &files.samples;
	c.moved = 0x20;
	CU_ASSERT_TRUE(compare(&c, &moved));
	CU_ASSERT_EQUAL(last(&moved)->state, CSG_KERNEL_FILE_REFUSED);
	CU_ASSERT_EQUAL(moved.samples.count, 0);
	csg_checked_kernels_fini(&files);
	csg_checked_kernels_fini(&moved);
}

/* Nor is the file refused that agrees with the trace, but not with what is said to have run. */
static void the_trace_says_whether_a_file_is_refused(void)
{
	struct csg_checked_kernels files = {0}, again = {0};
	struct compared c = {.kind = CSG_HV_KVM_VHE, .vm = CSG_VM_HOST};
	struct csg_kernel_sample *sample;

	CU_ASSERT_FALSE(compare(&c, &files));
	sample = files.samples.list;
	CU_ASSERT_PTR_NOT_NULL_FATAL(sample);
	for (uint32_t i = 0; i < sample->count; i++)
		sample->runs[i].pattern = 0;
	c.known = &files.samples;
	CU_ASSERT_FALSE(compare(&c, &again));
	agrees_as_before(&again, &files);
	csg_checked_kernels_fini(&files);
	csg_checked_kernels_fini(&again);
}

CSG_SUITE(session_open, kernel_check, CSG_TEST(a_kernel_elsewhere_is_refused),
	  CSG_TEST(where_packets_do_not_say_whose_kernel_ran_nothing_is_refused),
	  CSG_TEST(what_is_known_to_have_run_is_compared_without_the_trace),
	  CSG_TEST(what_does_not_agree_with_it_is_compared_with_the_trace),
	  CSG_TEST(the_trace_says_whether_a_file_is_refused));
