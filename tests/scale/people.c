/* SPDX-License-Identifier: BSD-3-Clause */
#include "scale/scale.h"

static uint32_t owner_count;

static uint32_t new_owner(const char *world, const char *privilege, unsigned el,
			  const struct thread *t, int32_t pid)
{
	bool guest = world[0] == 'g';

	fprintf(owners,
		"owner %" PRIu32 " world=%s privilege=%s el=%u vm=%d vcpu=%d pid=%d tid=%d "
		"host_tid=%d\n",
		owner_count, world, privilege, el, guest ? t->vm->pid : 0,
		guest ? (int)t->vcpu : -1, pid, guest ? pid : t->tid, t->tid);
	return owner_count++;
}

int32_t guest_pid(const struct thread *t, unsigned process)
{
	return (int32_t)(500 + process * 64 + t->vcpu);
}

uint64_t now(const struct cpu *c)
{
	return c->counter + TIME_ZERO;
}

struct csg_enc_perf_sample sample(const struct cpu *c, const struct thread *t)
{
	return (struct csg_enc_perf_sample){(uint32_t)t->pid, (uint32_t)t->tid, c->number, now(c),
					    side_id + c->number};
}

void put_map(struct csg_enc_perf *p, uint32_t pid, const struct image *m,
	     const struct csg_enc_perf_sample *when)
{
	const bool kernel = m->path[0] == '[';
	const struct csg_enc_perf_mmap map = {
		.pid = kernel ? CSG_ENC_PERF_ANY : pid,
		.tid = kernel ? 0 : pid,
		.start = m->base & ~UINT64_C(0xfff),
		.size = (4 * m->count + 0x1fff) & ~0xfffu,
		.offset = kernel ? m->base : 0x1000,
		.name = kernel ? "[kernel.kallsyms]_text" : m->path,
		.inode = 7,
	};

	if (kernel)
		csg_enc_perf_mmap(p, CSG_ENC_MISC_KERNEL, &map, when);
	else
		csg_enc_perf_mmap2(p, CSG_ENC_MISC_USER, &map, when);
}

void put_thread(const struct thread *t, const struct csg_enc_perf_sample *when)
{
	char comm[24];

	snprintf(comm, sizeof(comm), t->vm ? "CPU %u/KVM" : "p%u", t->vm ? t->vcpu : t->program);
	csg_enc_perf_task(&perf, false, (uint32_t)t->pid, (uint32_t)t->tid,
			  t->vm ? (uint32_t)t->pid : 1, t->vm ? (uint32_t)t->pid : 1, when);
	csg_enc_perf_comm(&perf, (uint32_t)t->pid, (uint32_t)t->tid, comm, !t->vm, when);
	if (!t->vm)
		put_map(&perf, (uint32_t)t->pid, &programs[t->program], when);
}

static void put_exec(struct csg_enc_perf *p, struct csg_enc_perf_sample *when, unsigned program,
		     char kind)
{
	char comm[16];

	snprintf(comm, sizeof(comm), "%c%u", kind, program);
	csg_enc_perf_comm(p, when->pid, when->tid, comm, true, when);
	when->time += 15;
	put_map(p, when->pid, &programs[program], when);
}

void exec(struct cpu *c, struct thread *t)
{
	struct csg_enc_perf_sample when;

	c->counter += 10;
	when = sample(c, t);
	t->program = csg_enc_random_below(&dice, FILES);
	put_exec(&perf, &when, t->program, 'p');
	c->counter += 25;
}

void exec_guest(struct cpu *c, struct thread *t)
{
	const uint32_t pid = (uint32_t)guest_pid(t, t->process);
	struct csg_enc_perf_sample when = {pid, pid, t->vcpu,
					   c->counter + 10 - t->vm->cntvoff + GUEST_ZERO,
					   t->vm->id + t->vcpu};

	if (!t->vm->perf)
		return;
	c->counter += 10;
	t->guest_programs[t->process] = csg_enc_random_below(&dice, FILES);
	put_exec(t->vm->perf, &when, t->guest_programs[t->process], 'g');
	c->counter += 25;
}

/* A kernel writes OUT before it leaves a thread, and IN when the next one has come. */
void switch_out(struct cpu *c, const struct thread *next)
{
	struct thread *t = c->now;
	struct csg_enc_perf_sample when;

	c->counter += 50 + csg_enc_random_below(&dice, 100);
	when = sample(c, t);
	if (t->ends) {
		csg_enc_perf_task(&perf, true, when.pid, when.tid, when.pid, when.pid, &when);
		t->has_ended = true;
		when.pid = when.tid = CSG_ENC_PERF_ANY;
	}
	t->left = c->counter;
	csg_enc_perf_switch(&perf, true, (uint32_t)next->pid, (uint32_t)next->tid, &when);
	c->counter += 20;
}

void switch_in(struct cpu *c, struct thread *next)
{
	const struct thread *t = c->now;
	const bool known = t && !t->has_ended;
	struct csg_enc_perf_sample when;

	c->counter += 20;
	when = sample(c, next);
	csg_enc_perf_switch(&perf, false,
			    known ? (uint32_t)t->pid
			    : t	  ? CSG_ENC_PERF_ANY
				  : 0,
			    known ? (uint32_t)t->tid
			    : t	  ? CSG_ENC_PERF_ANY
				  : 0,
			    &when);
	c->counter += 10;
	c->now = next;
}

/* The same of the threads of a vCPU's guest, which run in turn. */
static void put_guest_switch(const struct cpu *c, const struct thread *t, bool out,
			     unsigned process, unsigned other)
{
	const uint32_t pid = (uint32_t)guest_pid(t, process);
	const uint32_t other_pid = (uint32_t)guest_pid(t, other);
	const struct csg_enc_perf_sample when = {
		pid, pid, t->vcpu, c->counter - t->vm->cntvoff + GUEST_ZERO, t->vm->id + t->vcpu};

	if (t->vm->perf)
		csg_enc_perf_switch(t->vm->perf, out, other_pid, other_pid, &when);
}

static unsigned process_after(const struct thread *t)
{
	return (t->process + 1) % (unsigned)opt.guest_processes;
}

void switch_guest_out(struct cpu *c, const struct thread *t)
{
	put_guest_switch(c, t, true, t->process, process_after(t));
	c->counter += 20;
}

void switch_guest_in(struct cpu *c, struct thread *t)
{
	const unsigned from = t->process;

	c->counter += 20;
	t->process = process_after(t);
	put_guest_switch(c, t, false, t->process, from);
	c->counter += 10;
}

struct thread *new_thread(struct vm *vm, int32_t pid, int32_t tid)
{
	struct thread *t = get(1, sizeof(*t));

	*t = (struct thread){.pid = pid, .tid = tid, .vm = vm};
	t->program = csg_enc_random_below(&dice, FILES);
	t->kernel = new_owner("host", "kernel", 2, t, pid);
	t->user = vm ? 0 : new_owner("host", "user", 0, t, pid);
	if (!vm)
		return t;
	t->vcpu = vm->vcpu_count++;
	vm->owners = realloc(vm->owners, vm->vcpu_count * sizeof(*vm->owners));
	vm->owners[t->vcpu] = get(2 * opt.guest_processes, sizeof(uint32_t));
	t->guest_programs = get(opt.guest_processes, sizeof(unsigned));
	for (unsigned i = 0; i < opt.guest_processes; i++)
		t->guest_programs[i] = i % FILES;
	for (unsigned i = 0; i < 2 * opt.guest_processes; i++)
		vm->owners[t->vcpu][i] = new_owner("guest", i % 2 ? "user" : "kernel", !(i % 2), t,
						   guest_pid(t, i / 2));
	return t;
}
