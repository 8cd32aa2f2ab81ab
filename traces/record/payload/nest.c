// SPDX-License-Identifier: BSD-3-Clause
/*
 * nest L1 L2...: a small VMM on /dev/kvm for a guest that is a hypervisor (KVM_ARM_VCPU_HAS_EL2):
 * one VM with the vCPUs and the memory of bare/nested.h, filled from the ELF files; L1's entry
 * gets the vCPU's number in x0.
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

#include "bare/nested.h"

#ifndef KVM_ARM_VCPU_HAS_EL2
#define KVM_ARM_VCPU_HAS_EL2 7
#endif
#define PSTATE_EL2H_MASKED 0x3c9
#define CORE_REG(name)                                                                             \
	(KVM_REG_ARM64 | KVM_REG_SIZE_U64 | KVM_REG_ARM_CORE | KVM_REG_ARM_CORE_REG(name))

struct vcpu {
	int fd;
	struct kvm_run *run;
	unsigned number;
	pthread_t thread;
};

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

/* The file's segments to memory that stands for GUEST_BASE on. */
static uint64_t load_guest(const char *path, uint8_t *memory, uint64_t room)
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
		    p->p_vaddr + p->p_filesz <= GUEST_BASE + room)
			memcpy(memory + (p->p_vaddr + skip - GUEST_BASE), file + p->p_offset + skip,
			       p->p_filesz - skip);
	}
	close(fd);
	return e->e_entry;
}

static void set_register(int vcpu, uint64_t id, uint64_t value)
{
	struct kvm_one_reg reg = {.id = id, .addr = (uintptr_t)&value};

	if (ioctl(vcpu, KVM_SET_ONE_REG, &reg))
		fail("KVM_SET_ONE_REG");
}

static void set_device(int device, uint32_t group, uint64_t attribute, uint64_t value)
{
	struct kvm_device_attr a = {.group = group, .attr = attribute, .addr = (uintptr_t)&value};

	if (ioctl(device, KVM_SET_DEVICE_ATTR, &a))
		fail("KVM_SET_DEVICE_ATTR");
}

/* After the vCPUs are made. */
static void create_gic(int vm)
{
	struct kvm_create_device gic = {.type = KVM_DEV_TYPE_ARM_VGIC_V3};

	if (ioctl(vm, KVM_CREATE_DEVICE, &gic))
		fail("KVM_CREATE_DEVICE");
	set_device((int)gic.fd, KVM_DEV_ARM_VGIC_GRP_ADDR, KVM_VGIC_V3_ADDR_TYPE_DIST, GICD_BASE);
	set_device((int)gic.fd, KVM_DEV_ARM_VGIC_GRP_ADDR, KVM_VGIC_V3_ADDR_TYPE_REDIST, GICR_BASE);
	set_device((int)gic.fd, KVM_DEV_ARM_VGIC_GRP_CTRL, KVM_DEV_ARM_VGIC_CTRL_INIT, 0);
}

static void create_vcpu(int kvm, int vm, struct vcpu *v, uint64_t entry)
{
	struct kvm_vcpu_init init;

	v->fd = ioctl(vm, KVM_CREATE_VCPU, v->number);
	if (v->fd < 0 || ioctl(vm, KVM_ARM_PREFERRED_TARGET, &init))
		fail("vCPU");
	init.features[0] |= 1u << KVM_ARM_VCPU_HAS_EL2 | 1u << KVM_ARM_VCPU_PSCI_0_2;
	if (ioctl(v->fd, KVM_ARM_VCPU_INIT, &init))
		fail("KVM_ARM_VCPU_INIT with EL2");
	v->run = mmap(NULL, (size_t)ioctl(kvm, KVM_GET_VCPU_MMAP_SIZE, 0), PROT_READ | PROT_WRITE,
		      MAP_SHARED, v->fd, 0);
	if (v->run == MAP_FAILED)
		fail("kvm_run");
	set_register(v->fd, CORE_REG(regs.pc), entry);
	set_register(v->fd, CORE_REG(regs.pstate), PSTATE_EL2H_MASKED);
	set_register(v->fd, CORE_REG(regs.regs[0]), v->number);
}

static void *run_vcpu(void *arg)
{
	struct vcpu *v = arg;
	char name[16];

	snprintf(name, sizeof(name), "CPU %u/KVM", v->number);
	prctl(PR_SET_NAME, name);
	for (;;) {
		if (ioctl(v->fd, KVM_RUN, 0))
			fail("KVM_RUN");
		if (v->run->exit_reason == KVM_EXIT_MMIO && v->run->mmio.is_write &&
		    v->run->mmio.phys_addr == DEVICE_END)
			return NULL;
		if (v->run->exit_reason == KVM_EXIT_MMIO)
			printf("nest: vCPU %u: address %llx, value %x\n", v->number,
			       (unsigned long long)v->run->mmio.phys_addr,
			       *(uint32_t *)v->run->mmio.data);
		else
			printf("nest: vCPU %u: exit %u\n", v->number, v->run->exit_reason);
		fflush(stdout);
		exit(1);
	}
}

int main(int argc, char **argv)
{
	struct kvm_userspace_memory_region region = {.guest_phys_addr = GUEST_BASE,
						     .memory_size = L1_MEMORY};
	struct vcpu vcpu[L1_CPUS];
	int kvm = open("/dev/kvm", O_RDWR), vm;
	uint8_t *memory;
	uint64_t entry;

	if (argc != 2 + L2_COUNT || kvm < 0)
		fail("nest L1 L2...");
	memory = mmap(NULL, L1_MEMORY, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	region.userspace_addr = (uintptr_t)memory;
	vm = ioctl(kvm, KVM_CREATE_VM, 0);
	if (memory == MAP_FAILED || vm < 0 || ioctl(vm, KVM_SET_USER_MEMORY_REGION, &region))
		fail("VM");
	entry = load_guest(argv[1], memory, L2_MEMORY(0) - GUEST_BASE);
	for (unsigned i = 0; i < L2_COUNT; i++)
		load_guest(argv[2 + i], memory + L2_MEMORY(i) - GUEST_BASE, L2_SIZE);
	for (unsigned i = 0; i < L1_CPUS; i++) {
		vcpu[i].number = i;
		create_vcpu(kvm, vm, &vcpu[i], entry);
	}
	create_gic(vm);
	for (unsigned i = 0; i < L1_CPUS; i++)
		if (pthread_create(&vcpu[i].thread, NULL, run_vcpu, &vcpu[i]))
			fail("thread");
	for (unsigned i = 0; i < L1_CPUS; i++)
		pthread_join(vcpu[i].thread, NULL);
	printf("nest: done\n");
	return 0;
}
