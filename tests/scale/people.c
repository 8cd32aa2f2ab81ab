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

static void put_guest_switch(const struct cpu *c, const struct thread *t, uint32_t from,
			     uint32_t to)
{
	struct csg_enc_perf_sample when = {
		from, from, t->vcpu, c->counter - t->vm->cntvoff + GUEST_ZERO, t->vm->id + t->vcpu};

	if (!t->vm->perf)
		return;
	csg_enc_perf_switch(t->vm->perf, true, to, to, &when);
	when.pid = when.tid = to;
	when.time += 5;
	csg_enc_perf_switch(t->vm->perf, false, from, from, &when);
}

void switch_guest(const struct cpu *c, struct thread *t)
{
	const uint32_t from = (uint32_t)guest_pid(t, t->process);

	t->process = (t->process + 1) % (unsigned)opt.guest_processes;
	put_guest_switch(c, t, from, (uint32_t)guest_pid(t, t->process));
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
	for (unsigned i = 0; i < 2 * opt.guest_processes; i++)
		vm->owners[t->vcpu][i] = new_owner("guest", i % 2 ? "user" : "kernel", !(i % 2), t,
						   guest_pid(t, i / 2));
	return t;
}
