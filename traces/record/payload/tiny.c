// SPDX-License-Identifier: BSD-3-Clause
/*
 * tiny ELF NUMBER: a small VMM on /dev/kvm. One VM, one vCPU, a megabyte of memory at 0x400000
 * (where this very program lies, too) filled from the ELF file; its entry gets NUMBER in x0. What
 * the guest stores to DEVICE is printed nowhere but looked at here, at the host's EL0; a store to
 * DEVICE + 8 ends it. VCPU_THREAD is the name of the thread of its vCPU (record.sh).
 */
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <linux/kvm.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "bare/device.h"

#define MEMORY 0x100000
#define CORE_REG(name)                                                                             \
	(KVM_REG_ARM64 | KVM_REG_SIZE_U64 | KVM_REG_ARM_CORE | KVM_REG_ARM_CORE_REG(name))

static struct {
	int vm, vcpu;
	struct kvm_run *run;
	uint8_t *memory;
	uint64_t entry, number;
} t;

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void load_guest(const char *path)
{
	int fd = open(path, O_RDONLY);
	off_t size = fd < 0 ? -1 : lseek(fd, 0, SEEK_END);
	const uint8_t *file =
		mmap(NULL, size > 0 ? (size_t)size : 1, PROT_READ, MAP_PRIVATE, fd, 0);
	const Elf64_Ehdr *e = (const Elf64_Ehdr *)file;

	if (size < (off_t)sizeof(*e) || file == MAP_FAILED)
		fail(path);
	for (int i = 0; i < e->e_phnum; i++) {
		const Elf64_Phdr *p = (const Elf64_Phdr *)(file + e->e_phoff) + i;

		/* The ELF header may lie before the memory. */
		uint64_t skip = p->p_vaddr < GUEST_BASE ? GUEST_BASE - p->p_vaddr : 0;

		if (p->p_type == PT_LOAD && p->p_filesz > skip &&
		    p->p_vaddr + p->p_filesz <= GUEST_BASE + MEMORY)
			memcpy(t.memory + (p->p_vaddr + skip - GUEST_BASE),
			       file + p->p_offset + skip, p->p_filesz - skip);
	}
	t.entry = e->e_entry;
	close(fd);
}

static void set_register(uint64_t id, uint64_t value)
{
	struct kvm_one_reg reg = {.id = id, .addr = (uintptr_t)&value};

	if (ioctl(t.vcpu, KVM_SET_ONE_REG, &reg))
		fail("KVM_SET_ONE_REG");
}

/* Something to do for each store: a few hundred instructions. */
static uint32_t look_at(uint32_t sum, uint32_t value)
{
	for (int i = 0; i < 50; i++)
		sum = (sum ^ value) * 16777619u + (uint32_t)i;
	return sum;
}

static void *run_vcpu(void *arg)
{
	uint32_t sum = 0, value;

	(void)arg;
	prctl(PR_SET_NAME, VCPU_THREAD);
	for (;;) {
		if (ioctl(t.vcpu, KVM_RUN, 0))
			fail("KVM_RUN");
		if (t.run->exit_reason != KVM_EXIT_MMIO || !t.run->mmio.is_write)
			fail("an exit that is no store");
		if (t.run->mmio.phys_addr == DEVICE + 8)
			break;
		memcpy(&value, t.run->mmio.data, sizeof(value));
		sum = look_at(sum, value);
	}
	printf("tiny %d: %08x\n", (int)t.number, sum);
	return NULL;
}

int main(int argc, char **argv)
{
	struct kvm_userspace_memory_region region = {.guest_phys_addr = GUEST_BASE,
						     .memory_size = MEMORY};
	struct kvm_vcpu_init init;
	pthread_t thread;
	int kvm = open("/dev/kvm", O_RDWR);

	if (argc != 3 || kvm < 0)
		fail("tiny ELF NUMBER");
	t.number = (uint64_t)atoi(argv[2]);
	t.memory = mmap(NULL, MEMORY, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	region.userspace_addr = (uintptr_t)t.memory;
	t.vm = ioctl(kvm, KVM_CREATE_VM, 0);
	if (t.memory == MAP_FAILED || t.vm < 0 || ioctl(t.vm, KVM_SET_USER_MEMORY_REGION, &region))
		fail("VM");
	load_guest(argv[1]);
	t.vcpu = ioctl(t.vm, KVM_CREATE_VCPU, 0);
	if (t.vcpu < 0 || ioctl(t.vm, KVM_ARM_PREFERRED_TARGET, &init) ||
	    ioctl(t.vcpu, KVM_ARM_VCPU_INIT, &init))
		fail("vCPU");
	t.run = mmap(NULL, (size_t)ioctl(kvm, KVM_GET_VCPU_MMAP_SIZE, 0), PROT_READ | PROT_WRITE,
		     MAP_SHARED, t.vcpu, 0);
	if (t.run == MAP_FAILED)
		fail("kvm_run");
	set_register(CORE_REG(regs.pc), t.entry);
	set_register(CORE_REG(regs.regs[0]), t.number);
	if (pthread_create(&thread, NULL, run_vcpu, NULL))
		fail("thread");
	pthread_join(thread, NULL);
	return 0;
}
