/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct owner owners[OWNERS] = {
	[VCPU_THREAD] = {false, 0, -1, 4100, 4103, 4103, "CPU 0/KVM"},
	[MAIN_THREAD] = {false, 0, -1, 4100, 4100, 4100, "qemu-system-aar"},
	[SSHD_THREAD] = {false, 0, -1, 712, 712, 712, "sshd"},
	[GUEST_IDLE] = {true, 4100, 0, 0, 0, 4103, "swapper/0"},
	[GUEST_APP] = {true, 4100, 0, 1201, 1201, 4103, "workload"},
};

static const struct image files[IMAGES] = {
	[HOST] = {.path = "[kernel.kallsyms]", .file = "host/vmlinux"},
	[VMM] = {.path = "/usr/bin/qemu-system-aarch64",
		 .file = "host/qemu-system-aarch64",
		 .bias = 0xaaaac4c10000},
	[SSHD] = {.path = "/usr/sbin/sshd", .file = "host/sshd", .bias = 0xaaaae0870000},
	[GUEST] = {.path = "[guest.kernel.kallsyms]", .file = "guest/vmlinux"},
	[APP] = {.path = "/root/workload", .file = "guest/workload"},
};

static struct machine *machine_of(struct cpu *cpu)
{
	return (struct machine *)(void *)((char *)(cpu - cpu->number) -
					  offsetof(struct machine, cpus));
}

const struct image *mapped(const struct machine *m, enum who who, unsigned el)
{
	if (el == 2)
		return &m->images[HOST];
	if (el == 1)
		return &m->images[GUEST];
	if (owners[who].guest)
		return &m->images[APP];
	return &m->images[who == SSHD_THREAD ? SSHD : VMM];
}

static const struct image *mapped_now(struct cpu *cpu)
{
	return mapped(machine_of(cpu), cpu->p.context.owner, cpu->p.context.el);
}

static size_t read_code(void *arg, uint64_t address, void *data, size_t size)
{
	return image_read(mapped_now(arg), address, data, size);
}

/* MOVZ, ADD and SUB with an immediate are all the arithmetic there is. */
static void executed(void *arg, uint64_t pc, uint32_t w)
{
	struct cpu *cpu = arg;
	uint64_t *regs = cpu->regs[cpu->p.thread];
	unsigned rd = w & 31, rn = w >> 5 & 31;
	const struct machine *m = machine_of(cpu);

	if ((w & 0xffe00000) == 0xd2800000)
		regs[rd] = w >> 5 & 0xffff;
	else if ((w & 0xffc00000) == 0x91000000 && rd != 31)
		regs[rd] = regs[rn] + (w >> 10 & 0xfff);
	else if ((w & 0xffc00000) == 0xd1000000 && rd != 31)
		regs[rd] = regs[rn] - (w >> 10 & 0xfff);
	if (cpu->p.context.el == 2 && (pc == m->load_isb || pc == m->put_isb))
		cpu->loaded = pc == m->load_isb;
	cpu->now++;
	if (cpu->now - cpu->stamped > 400)
		stamp(cpu);
}

static bool taken(void *arg, uint64_t pc, uint64_t target)
{
	struct cpu *cpu = arg;
	uint64_t value;
	uint32_t w = 0;

	(void)target;
	image_read(mapped_now(cpu), pc, &w, 4);
	value = cpu->regs[cpu->p.thread][w & 31];
	if ((w & 0x7e000000) == 0x34000000) /* CBZ, CBNZ */
		return (w >> 24 & 1) == (value != 0);
	value = value >> ((w >> 26 & 0x20) | (w >> 19 & 0x1f)) & 1; /* TBZ, TBNZ */
	return (w >> 24 & 1) == value;
}

void machine_init(struct machine *m)
{
	memset(m, 0, sizeof(*m));
	for (unsigned i = 0; i < IMAGES; i++) {
		m->images[i] = files[i];
		image_load(&m->images[i]);
	}
	m->load_isb = symbol(m, HOST, "kvm_arch_vcpu_load") + 16;
	m->put_isb = symbol(m, HOST, "kvm_arch_vcpu_put") + 12;
	for (unsigned i = 0; i < CPUS; i++) {
		struct cpu *cpu = &m->cpus[i];

		cpu->number = i;
		cpu->now = UINT64_C(1234567890123);
		cpu->p.read = read_code;
		cpu->p.taken = taken;
		cpu->p.executed = executed;
		cpu->p.arg = cpu;
		cpu->p.path = &cpu->scratch;
	}
}

uint64_t symbol(struct machine *m, enum image_name image, const char *name)
{
	return image_symbol(&m->images[image], name);
}

struct csg_enc_context context_of(enum who who, unsigned el)
{
	return (struct csg_enc_context){
		.el = (uint8_t)el,
		.guest = owners[who].guest,
		.contextidr_el1 = owners[who].guest ? owners[who].tid : 0,
		.contextidr_el2 = owners[who].host_tid,
		.vmid = 1,
		.owner = who,
	};
}

void trace_begin(struct cpu *cpu, enum who who, unsigned el, uint64_t pc)
{
	struct csg_enc_context context = context_of(who, el);

	cpu->pass_start[cpu->pass] = cpu->now;
	csg_enc_program_thread(&cpu->p, who);
	csg_enc_program_begin(&cpu->p, &cpu->passes[cpu->pass], &context, pc);
	stamp(cpu);
}

void trace_cut(struct cpu *cpu)
{
	struct csg_enc_context context = cpu->p.context;

	if (cpu->p.start != cpu->p.pc) {
		fprintf(stderr, "trace is cut in the middle of a run\n");
		exit(1);
	}
	cpu->pass_end[cpu->pass++] = cpu->now;
	cpu->now += 3000;
	cpu->pass_start[cpu->pass] = cpu->now;
	csg_enc_program_begin(&cpu->p, &cpu->passes[cpu->pass], &context, cpu->p.pc);
	stamp(cpu);
}

void walk(struct cpu *cpu, uint64_t until, enum csg_enc_stop stop)
{
	enum csg_enc_stop seen = csg_enc_program_run(&cpu->p, until);

	if (seen == stop)
		return;
	fprintf(stderr, "cpu %u stopped at %" PRIx64 " with %d, not %d\n", cpu->number, cpu->p.pc,
		seen, stop);
	exit(1);
}

void stamp(struct cpu *cpu)
{
	csg_enc_path_time(cpu->p.path, cpu->now, cpu->loaded ? GUEST_CNTVOFF : 0);
	cpu->stamped = cpu->now;
}
