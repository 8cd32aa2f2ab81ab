/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What happens in the recording.  Each function is one thing that systems do; play()
 * at the end puts them together.
 */
#include "machine.h"

#include <string.h>

/* Registers of host.S and guest.S that decide. */
enum {
	X_VCPU = 20,	/* this task is inside KVM_RUN */
	X_TO_USER = 24, /* the exit needs the VMM */
	X_FAST = 25,	/* the exit is handled in hyp code */
	X_RESCHED = 26,
	X_MMIO = 27,
	X_WFX = 28,
};

static uint64_t host(struct machine *m, const char *name)
{
	return symbol(m, HOST, name);
}

static void vector(struct cpu *cpu, unsigned number, uint64_t target, enum who who, unsigned el)
{
	struct csg_enc_context context = context_of(who, el);

	if (who == cpu->p.thread)
		memcpy(cpu->saved[who][cpu->saves[who]++], cpu->regs[who],
		       sizeof(cpu->saved[0][0]));
	csg_enc_program_exception(&cpu->p, number, target, &context);
	csg_enc_program_thread(&cpu->p, who);
	stamp(cpu);
}

static void eret(struct cpu *cpu, uint64_t target, enum who who, unsigned el)
{
	struct csg_enc_context context = context_of(who, el);

	if (who == cpu->p.thread && cpu->saves[who])
		memcpy(cpu->regs[who], cpu->saved[who][--cpu->saves[who]],
		       sizeof(cpu->saved[0][0]));
	csg_enc_program_eret(&cpu->p, target, &context);
	csg_enc_program_thread(&cpu->p, who);
	stamp(cpu);
}

/* Runs user code to its next SVC, and the kernel to where it calls the handler. */
static uint64_t syscall_enter(struct machine *m, struct cpu *cpu, const char *handler)
{
	enum who who = cpu->p.context.owner;
	uint64_t back;

	walk(cpu, 0, CSG_ENC_STOP_CALL);
	back = cpu->p.pc;
	vector(cpu, CSG_ENC_EXC_CALL, host(m, "vectors") + 0x400, who, 2);
	walk(cpu, 0, CSG_ENC_STOP_INDIRECT);
	csg_enc_program_branch(&cpu->p, host(m, handler));
	return back;
}

/* The rest of a system call that does not block. */
static void syscall_leave(struct cpu *cpu, uint64_t back)
{
	walk(cpu, 0, CSG_ENC_STOP_ERET);
	eret(cpu, back, cpu->p.context.owner, 0);
}

static void syscall_all(struct machine *m, struct cpu *cpu, const char *handler)
{
	syscall_leave(cpu, syscall_enter(m, cpu, handler));
}

/* An interrupt in the host kernel or in a host process. */
static void host_irq(struct machine *m, struct cpu *cpu)
{
	enum who who = cpu->p.context.owner;
	unsigned el = cpu->p.context.el;
	uint64_t back = cpu->p.pc;

	vector(cpu, CSG_ENC_EXC_IRQ, host(m, "vectors") + (el ? 0x280 : 0x480), who, 2);
	walk(cpu, 0, CSG_ENC_STOP_INDIRECT);
	csg_enc_program_branch(&cpu->p, host(m, "arch_timer_handler_phys"));
	walk(cpu, 0, CSG_ENC_STOP_ERET);
	eret(cpu, back, who, el);
}

/* The kernel is about to switch from the current task to another one. */
static void switch_task(struct machine *m, struct cpu *cpu, enum who to)
{
	enum who from = cpu->p.context.owner;
	struct csg_enc_context context = context_of(to, 2);

	walk(cpu, host(m, "contextidr_thread_switch") + 12, CSG_ENC_STOP_THERE);
	cpu->p.context = context;
	csg_enc_path_context(cpu->p.path, &context);
	stamp(cpu);
	walk(cpu, host(m, "cpu_switch_to"), CSG_ENC_STOP_THERE);
	cpu->regs[from][X_RESCHED] = 0;
	csg_enc_program_thread(&cpu->p, to);
	if (cpu->p.path != &cpu->scratch)
		m->switches[m->switch_count++] = (struct switched){cpu->now, cpu->number, from, to};
}

/* The VMM asks for KVM_RUN; stops before the guest is entered. */
static uint64_t kvm_run(struct machine *m, struct cpu *cpu)
{
	uint64_t back = syscall_enter(m, cpu, "__arm64_sys_ioctl");

	walk(cpu, 0, CSG_ENC_STOP_INDIRECT);
	csg_enc_program_branch(&cpu->p, host(m, "kvm_vcpu_ioctl"));
	cpu->regs[VCPU_THREAD][X_VCPU] = 1;
	walk(cpu, 0, CSG_ENC_STOP_ERET);
	return back;
}

static void enter_guest(struct machine *m, struct cpu *cpu)
{
	eret(cpu, m->guest_pc, m->guest_task, m->guest_user ? 0 : 1);
}

static void exit_guest(struct machine *m, struct cpu *cpu, unsigned number, unsigned offset)
{
	m->guest_pc = cpu->p.pc;
	m->guest_task = cpu->p.context.owner;
	m->guest_user = cpu->p.context.el == 0;
	vector(cpu, number, host(m, "__kvm_hyp_vector") + offset, VCPU_THREAD, 2);
}

/* A physical interrupt: the host handles it and goes back into the guest. */
static void guest_interrupted(struct machine *m, struct cpu *cpu)
{
	exit_guest(m, cpu, CSG_ENC_EXC_IRQ, 0x480);
	walk(cpu, host(m, "kvm_vgic_sync_hwstate"), CSG_ENC_STOP_THERE);
	host_irq(m, cpu);
	walk(cpu, 0, CSG_ENC_STOP_ERET);
	enter_guest(m, cpu);
}

/* The guest's first use of floating point: handled without leaving hyp code. */
static void guest_fp_trap(struct machine *m, struct cpu *cpu)
{
	cpu->regs[VCPU_THREAD][X_FAST] = 1;
	exit_guest(m, cpu, CSG_ENC_EXC_TRAP, 0x400);
	walk(cpu, 0, CSG_ENC_STOP_ERET);
	cpu->regs[VCPU_THREAD][X_FAST] = 0;
	enter_guest(m, cpu);
}

/* The guest's WFI traps; KVM skips it and goes back in. */
static void guest_wfi(struct machine *m, struct cpu *cpu)
{
	cpu->regs[VCPU_THREAD][X_WFX] = 1;
	exit_guest(m, cpu, CSG_ENC_EXC_TRAP, 0x400);
	walk(cpu, 0, CSG_ENC_STOP_ERET);
	cpu->regs[VCPU_THREAD][X_WFX] = 0;
	m->guest_pc += 4;
	enter_guest(m, cpu);
}

/* A store to a device: the VMM emulates it, notifies its main loop, and runs the vCPU again. */
static void guest_mmio(struct machine *m, struct cpu *cpu, uint64_t back)
{
	cpu->regs[VCPU_THREAD][X_MMIO] = 1;
	cpu->regs[VCPU_THREAD][X_TO_USER] = 1;
	exit_guest(m, cpu, CSG_ENC_EXC_DATA_FAULT, 0x400);
	walk(cpu, 0, CSG_ENC_STOP_ERET);
	cpu->regs[VCPU_THREAD][X_MMIO] = 0;
	cpu->regs[VCPU_THREAD][X_TO_USER] = 0;
	cpu->regs[VCPU_THREAD][X_VCPU] = 0;
	eret(cpu, back, VCPU_THREAD, 0);
	walk(cpu, 0, CSG_ENC_STOP_INDIRECT);
	csg_enc_program_branch(&cpu->p, symbol(m, VMM, "virtio_mmio_write"));
	syscall_all(m, cpu, "__arm64_sys_write");
	kvm_run(m, cpu);
	m->guest_pc += 4;
	enter_guest(m, cpu);
}

/* The guest's own interrupt, injected by KVM. */
static void guest_virtual_irq(struct machine *m, struct cpu *cpu)
{
	enum who who = cpu->p.context.owner;
	unsigned el = cpu->p.context.el;
	uint64_t back = cpu->p.pc;

	vector(cpu, CSG_ENC_EXC_IRQ, symbol(m, GUEST, "vectors") + (el ? 0x280 : 0x480), who, 1);
	walk(cpu, 0, CSG_ENC_STOP_ERET);
	eret(cpu, back, who, el);
}

/* The guest boots to its idle loop, wakes up and starts the workload. */
static void guest_boots(struct machine *m, struct cpu *cpu)
{
	uint64_t idle = symbol(m, GUEST, "cpu_do_idle");
	struct csg_enc_context context;

	m->guest_pc = symbol(m, GUEST, "primary_entry");
	m->guest_task = GUEST_IDLE;
	m->guest_user = false;
	enter_guest(m, cpu);
	walk(cpu, symbol(m, GUEST, "mm_core_init"), CSG_ENC_STOP_THERE);
	guest_interrupted(m, cpu);
	walk(cpu, idle + 4, CSG_ENC_STOP_THERE);
	guest_wfi(m, cpu);
	guest_virtual_irq(m, cpu);
	cpu->regs[GUEST_IDLE][X_RESCHED] = 1;
	walk(cpu, symbol(m, GUEST, "cpu_switch_to") + 12, CSG_ENC_STOP_THERE);
	cpu->regs[GUEST_IDLE][X_RESCHED] = 0;
	/* a new task: its stack says it returns to user mode */
	context = context_of(GUEST_APP, 1);
	csg_enc_program_thread(&cpu->p, GUEST_APP);
	csg_enc_program_branch(&cpu->p, symbol(m, GUEST, "ret_to_user"));
	cpu->p.context = context;
	csg_enc_path_context(cpu->p.path, &context);
	walk(cpu, 0, CSG_ENC_STOP_ERET);
	eret(cpu, symbol(m, APP, "_start"), GUEST_APP, 0);
}

/* One turn of the workload's main loop, with everything that may come between. */
static void guest_works(struct machine *m, struct cpu *cpu, uint64_t back, unsigned turn)
{
	uint64_t app_back;

	walk(cpu, symbol(m, APP, "compute_checksum"), CSG_ENC_STOP_THERE);
	if (turn % 2)
		guest_interrupted(m, cpu);
	else
		guest_virtual_irq(m, cpu);
	walk(cpu, symbol(m, APP, "multiply_matrix"), CSG_ENC_STOP_THERE);
	if (turn % 3 == 0)
		guest_fp_trap(m, cpu);
	walk(cpu, 0, CSG_ENC_STOP_CALL);
	app_back = cpu->p.pc;
	vector(cpu, CSG_ENC_EXC_CALL, symbol(m, GUEST, "vectors") + 0x400, GUEST_APP, 1);
	walk(cpu, 0, CSG_ENC_STOP_INDIRECT);
	csg_enc_program_branch(&cpu->p, symbol(m, GUEST, "__arm64_sys_write"));
	walk(cpu, symbol(m, GUEST, "vm_notify") + 4, CSG_ENC_STOP_THERE);
	guest_mmio(m, cpu, back);
	walk(cpu, 0, CSG_ENC_STOP_ERET);
	eret(cpu, app_back, GUEST_APP, 0);
}

/* The vCPU thread is preempted in the middle of the workload; leaves before `to` goes on. */
static void vcpu_preempted(struct machine *m, struct cpu *cpu, enum who to)
{
	walk(cpu, symbol(m, APP, "fill_buffer") + 8, CSG_ENC_STOP_THERE);
	exit_guest(m, cpu, CSG_ENC_EXC_IRQ, 0x480);
	walk(cpu, host(m, "kvm_vgic_sync_hwstate"), CSG_ENC_STOP_THERE);
	host_irq(m, cpu);
	cpu->regs[VCPU_THREAD][X_RESCHED] = 1;
	switch_task(m, cpu, to);
}

/* The vCPU thread was switched to; it goes back into the guest. */
static void vcpu_resumes(struct machine *m, struct cpu *cpu)
{
	walk(cpu, 0, CSG_ENC_STOP_ERET);
	enter_guest(m, cpu);
}

/* Without trace: brings a thread to where it sleeps in ppoll. */
static void sleeps_in_ppoll(struct machine *m, struct cpu *cpu, enum who who, uint64_t pc)
{
	struct csg_enc_context context = context_of(who, 0);

	csg_enc_program_thread(&cpu->p, who);
	csg_enc_program_begin(&cpu->p, &cpu->scratch, &context, pc);
	cpu->regs[who][X_RESCHED] = 1;
	syscall_enter(m, cpu, "__arm64_sys_ppoll");
	switch_task(m, cpu, who);
}

/* A thread that slept in ppoll wakes up; returns in user mode. */
static void wakes_up(struct cpu *cpu, uint64_t back)
{
	walk(cpu, 0, CSG_ENC_STOP_ERET);
	eret(cpu, back, cpu->p.context.owner, 0);
}

static void sshd_works(struct machine *m, struct cpu *cpu, unsigned turns)
{
	for (unsigned i = 0; i < turns; i++) {
		syscall_all(m, cpu, "__arm64_sys_read");
		walk(cpu, symbol(m, SSHD, "process_output"), CSG_ENC_STOP_THERE);
		host_irq(m, cpu);
		syscall_all(m, cpu, "__arm64_sys_write");
		if (i + 1 < turns)
			syscall_all(m, cpu, "__arm64_sys_ppoll");
	}
}

/* A thread and what it had on its stacks moves to another CPU. */
static void migrate(struct cpu *from, struct cpu *to, enum who who)
{
	to->p.threads[who] = from->p.threads[who];
	memcpy(to->regs[who], from->regs[who], sizeof(to->regs[who]));
	memcpy(to->saved[who], from->saved[who], sizeof(to->saved[who]));
	to->saves[who] = from->saves[who];
}

void play(struct machine *m)
{
	struct cpu *cpu0 = &m->cpus[0], *cpu1 = &m->cpus[1];
	uint64_t poll_back = symbol(m, VMM, "os_host_main_loop_wait") + 8;
	uint64_t sshd_back = symbol(m, SSHD, "wait_until_can_do_something") + 8;
	uint64_t back;

	sleeps_in_ppoll(m, cpu0, SSHD_THREAD, symbol(m, SSHD, "server_loop2"));
	trace_begin(cpu0, VCPU_THREAD, 0, symbol(m, VMM, "kvm_vcpu_thread_fn"));
	back = kvm_run(m, cpu0);
	guest_boots(m, cpu0);
	for (unsigned turn = 0; turn < 8; turn++)
		guest_works(m, cpu0, back, turn);
	vcpu_preempted(m, cpu0, SSHD_THREAD);
	wakes_up(cpu0, sshd_back);
	sshd_works(m, cpu0, 3);
	cpu0->regs[SSHD_THREAD][X_RESCHED] = 1;
	syscall_enter(m, cpu0, "__arm64_sys_ppoll");
	switch_task(m, cpu0, VCPU_THREAD);
	vcpu_resumes(m, cpu0);
	trace_cut(cpu0); /* the buffer was full: trace goes on inside the guest */
	for (unsigned turn = 8; turn < 12; turn++)
		guest_works(m, cpu0, back, turn);
	vcpu_preempted(m, cpu0, SSHD_THREAD);
	wakes_up(cpu0, sshd_back);
	sshd_works(m, cpu0, 6);
	cpu0->pass_end[cpu0->pass++] = cpu0->now;

	/* the other CPU: the VMM's main loop, then the vCPU thread that left CPU 0 */
	trace_begin(cpu1, MAIN_THREAD, 0, symbol(m, VMM, "main_loop"));
	for (unsigned i = 0; i < 10; i++) {
		cpu1->now += 5000;
		syscall_all(m, cpu1, "__arm64_sys_ppoll");
	}
	cpu1->regs[MAIN_THREAD][X_RESCHED] = 1;
	syscall_enter(m, cpu1, "__arm64_sys_ppoll");
	if (cpu1->now < cpu0->now)
		cpu1->now = cpu0->now;
	migrate(cpu0, cpu1, VCPU_THREAD);
	migrate(cpu0, cpu1, GUEST_APP);
	migrate(cpu0, cpu1, GUEST_IDLE);
	switch_task(m, cpu1, VCPU_THREAD);
	vcpu_resumes(m, cpu1);
	for (unsigned turn = 12; turn < 20; turn++)
		guest_works(m, cpu1, back, turn);
	vcpu_preempted(m, cpu1, MAIN_THREAD);
	wakes_up(cpu1, poll_back);
	syscall_all(m, cpu1, "__arm64_sys_ppoll");
	walk(cpu1, symbol(m, VMM, "qemu_clock_run_all_timers"), CSG_ENC_STOP_THERE);
	host_irq(m, cpu1);
	cpu1->pass_end[cpu1->pass++] = cpu1->now;
}

/* The buffer is handed over; trace goes on in the next one a little later. */
static void next_buffer(struct cpu *cpu, void (*full)(void *arg, struct cpu *cpu), void *arg)
{
	struct csg_enc_context context = cpu->p.context;

	cpu->pass_end[0] = cpu->now;
	full(arg, cpu);
	csg_enc_path_fini(&cpu->passes[0]);
	cpu->now += 3000;
	cpu->pass_start[0] = cpu->now;
	csg_enc_program_begin(&cpu->p, &cpu->passes[0], &context, cpu->p.pc);
	stamp(cpu);
}

/* Somebody waits so long. */
static void passes(struct cpu *cpu, uint64_t ticks)
{
	cpu->now += ticks;
	stamp(cpu);
}

static void long_guest(struct machine *m, struct cpu *cpu, uint64_t back, unsigned turn,
		       uint64_t ticks)
{
	/* Now busy, now idle, in waves of many sizes. */
	uint64_t busy = ticks / 8 * (1 + turn / 64 % 7);

	walk(cpu, symbol(m, APP, "fill_buffer") + 4, CSG_ENC_STOP_THERE);
	passes(cpu, busy);
	guest_interrupted(m, cpu);
	guest_works(m, cpu, back, turn);
	vcpu_preempted(m, cpu, SSHD_THREAD);
	wakes_up(cpu, symbol(m, SSHD, "wait_until_can_do_something") + 8);
	syscall_all(m, cpu, "__arm64_sys_read");
	passes(cpu, ticks - busy);
	cpu->regs[SSHD_THREAD][X_RESCHED] = 1;
	syscall_enter(m, cpu, "__arm64_sys_ppoll");
	switch_task(m, cpu, VCPU_THREAD);
	vcpu_resumes(m, cpu);
}

void play_long(struct machine *m, unsigned turns, uint64_t ticks,
	       void (*full)(void *arg, struct cpu *cpu), void *arg)
{
	struct cpu *cpu0 = &m->cpus[0], *cpu1 = &m->cpus[1];
	uint64_t back;

	sleeps_in_ppoll(m, cpu0, SSHD_THREAD, symbol(m, SSHD, "server_loop2"));
	trace_begin(cpu0, VCPU_THREAD, 0, symbol(m, VMM, "kvm_vcpu_thread_fn"));
	back = kvm_run(m, cpu0);
	guest_boots(m, cpu0);
	for (unsigned turn = 0; turn < turns; turn++) {
		long_guest(m, cpu0, back, turn, ticks);
		if (turn % 32 == 31)
			next_buffer(cpu0, full, arg);
	}
	cpu0->pass_end[cpu0->pass++] = cpu0->now;
	full(arg, cpu0);
	trace_begin(cpu1, MAIN_THREAD, 0, symbol(m, VMM, "main_loop"));
	for (unsigned turn = 0; turn < turns; turn++) {
		syscall_all(m, cpu1, "__arm64_sys_ppoll");
		passes(cpu1, ticks);
		if (turn % 128 == 127)
			next_buffer(cpu1, full, arg);
	}
	cpu1->pass_end[cpu1->pass++] = cpu1->now;
	full(arg, cpu1);
}
