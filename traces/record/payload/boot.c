// SPDX-License-Identifier: BSD-3-Clause
/*
 * boot IMAGE INITRD DTB: a small VMM on /dev/kvm that boots an arm64 Linux at virtual EL2
 * (KVM_ARM_VCPU_HAS_EL2): one vCPU, 512 MB at RAM, a GICv3, and a UART that only sends
 * (earlycon). The device tree, l1.dts, names the same places.
 */
#define _GNU_SOURCE
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

#ifndef KVM_ARM_VCPU_HAS_EL2
#define KVM_ARM_VCPU_HAS_EL2 7
#endif
#define RAM 0x40000000ull
#define RAM_SIZE 0x20000000ull
#define DTB_AT (RAM + 0x7f00000)
#define INITRD_AT (RAM + 0x8000000)
#define UART 0x09000000ull
#define GICD_BASE 0x08000000ull
#define GICR_BASE 0x080a0000ull
#define PSTATE_EL2H_MASKED 0x3c9
#define CORE_REG(name)                                                                             \
	(KVM_REG_ARM64 | KVM_REG_SIZE_U64 | KVM_REG_ARM_CORE | KVM_REG_ARM_CORE_REG(name))

static struct {
	int vm, vcpu;
	struct kvm_run *run;
	uint8_t *memory;
} b;

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void load(const char *path, uint64_t at)
{
	int fd = open(path, O_RDONLY);
	off_t size = fd < 0 ? -1 : lseek(fd, 0, SEEK_END);

	if (size <= 0 || (uint64_t)size > RAM + RAM_SIZE - at)
		fail(path);
	for (off_t done = 0; done < size;) {
		ssize_t n = pread(fd, b.memory + (at - RAM) + done, (size_t)(size - done), done);

		if (n <= 0)
			fail(path);
		done += n;
	}
	close(fd);
}

static void set_register(uint64_t id, uint64_t value)
{
	struct kvm_one_reg reg = {.id = id, .addr = (uintptr_t)&value};

	if (ioctl(b.vcpu, KVM_SET_ONE_REG, &reg))
		fail("KVM_SET_ONE_REG");
}

static void set_device(int device, uint32_t group, uint64_t attribute, uint64_t value)
{
	struct kvm_device_attr a = {.group = group, .attr = attribute, .addr = (uintptr_t)&value};

	if (ioctl(device, KVM_SET_DEVICE_ATTR, &a))
		fail("KVM_SET_DEVICE_ATTR");
}

/* After the vCPU is made. */
static void create_gic(void)
{
	struct kvm_create_device gic = {.type = KVM_DEV_TYPE_ARM_VGIC_V3};

	if (ioctl(b.vm, KVM_CREATE_DEVICE, &gic))
		fail("KVM_CREATE_DEVICE");
	set_device((int)gic.fd, KVM_DEV_ARM_VGIC_GRP_ADDR, KVM_VGIC_V3_ADDR_TYPE_DIST, GICD_BASE);
	set_device((int)gic.fd, KVM_DEV_ARM_VGIC_GRP_ADDR, KVM_VGIC_V3_ADDR_TYPE_REDIST, GICR_BASE);
	set_device((int)gic.fd, KVM_DEV_ARM_VGIC_GRP_CTRL, KVM_DEV_ARM_VGIC_CTRL_INIT, 0);
}

static void create_vcpu(int kvm)
{
	struct kvm_vcpu_init init;

	b.vcpu = ioctl(b.vm, KVM_CREATE_VCPU, 0);
	if (b.vcpu < 0 || ioctl(b.vm, KVM_ARM_PREFERRED_TARGET, &init))
		fail("vCPU");
	init.features[0] |= 1u << KVM_ARM_VCPU_HAS_EL2 | 1u << KVM_ARM_VCPU_PSCI_0_2;
	if (ioctl(b.vcpu, KVM_ARM_VCPU_INIT, &init))
		fail("KVM_ARM_VCPU_INIT with EL2");
	b.run = mmap(NULL, (size_t)ioctl(kvm, KVM_GET_VCPU_MMAP_SIZE, 0), PROT_READ | PROT_WRITE,
		     MAP_SHARED, b.vcpu, 0);
	if (b.run == MAP_FAILED)
		fail("kvm_run");
	set_register(CORE_REG(regs.pc), RAM);
	set_register(CORE_REG(regs.pstate), PSTATE_EL2H_MASKED);
	set_register(CORE_REG(regs.regs[0]), DTB_AT);
}

/* Reads of the UART are zero: it is ready. */
static void access_device(void)
{
	if (!b.run->mmio.is_write)
		memset(b.run->mmio.data, 0, sizeof(b.run->mmio.data));
	else if (b.run->mmio.phys_addr == UART && write(1, b.run->mmio.data, 1) != 1)
		fail("UART");
}

static void *run_vcpu(void *arg)
{
	prctl(PR_SET_NAME, "CPU 0/KVM");
	for (;;) {
		if (ioctl(b.vcpu, KVM_RUN, 0))
			fail("KVM_RUN");
		if (b.run->exit_reason == KVM_EXIT_SYSTEM_EVENT)
			return arg;
		if (b.run->exit_reason != KVM_EXIT_MMIO) {
			printf("boot: exit %u\n", b.run->exit_reason);
			exit(1);
		}
		access_device();
	}
}

int main(int argc, char **argv)
{
	struct kvm_userspace_memory_region region = {.guest_phys_addr = RAM,
						     .memory_size = RAM_SIZE};
	int kvm = open("/dev/kvm", O_RDWR);
	pthread_t thread;

	if (argc != 4 || kvm < 0)
		fail("boot IMAGE INITRD DTB");
	b.memory = mmap(NULL, RAM_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	region.userspace_addr = (uintptr_t)b.memory;
	b.vm = ioctl(kvm, KVM_CREATE_VM, 0);
	if (b.memory == MAP_FAILED || b.vm < 0 || ioctl(b.vm, KVM_SET_USER_MEMORY_REGION, &region))
		fail("VM");
	load(argv[1], RAM);
	load(argv[2], INITRD_AT);
	load(argv[3], DTB_AT);
	create_vcpu(kvm);
	create_gic();
	if (pthread_create(&thread, NULL, run_vcpu, NULL))
		fail("thread");
	pthread_join(thread, NULL);
	return 0;
}
