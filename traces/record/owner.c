// SPDX-License-Identifier: BSD-3-Clause
#include "owner.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "util.h"

/* The number in a file of the folder, 0: it has none. */
static int32_t number_in(const char *dir, const char *file)
{
	char path[4096];
	uint8_t *text;
	size_t size;
	int32_t number;

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	if (access(path, F_OK))
		return 0;
	text = load(path, &size);
	number = text ? atoi((char *)text) : 0;
	free(text);
	return number;
}

int machines_add(struct machines *m, const char *dir)
{
	struct machine *machine = &m->machine[m->count];
	char path[4096];

	if (m->count == 1 + MAX_GUESTS) {
		fprintf(stderr, "%s: more than %d guests\n", dir, MAX_GUESTS);
		return -1;
	}
	machine->dir = dir;
	if (m->count) {
		machine->vm = number_in(dir, "vm");
		machine->nested = number_in(dir, "nested");
		if (machine->vm <= 0) {
			fprintf(stderr, "%s/vm: names no process of the host\n", dir);
			return -1;
		}
	}
	snprintf(path, sizeof(path), "%s/hypervisor", dir);
	machine->hypervisor = !m->count && !access(path, F_OK);
	m->count++;
	if (machine->hypervisor)
		return 0;
	snprintf(path, sizeof(path), "%s/elf", dir);
	machine->bare = !access(path, F_OK);
	if (machine->bare)
		return 0;
	snprintf(path, sizeof(path), "%s/perf.data/data", dir);
	return sb_open(&machine->sb, path);
}

void machines_fini(struct machines *m)
{
	for (unsigned i = 0; i < m->count; i++)
		sb_close(&m->machine[i].sb);
}

struct machine *machine_of(struct machines *m, int32_t vm, int32_t nested)
{
	for (unsigned i = 0; i < m->count; i++)
		if (m->machine[i].vm == vm && m->machine[i].nested == nested)
			return &m->machine[i];
	return NULL;
}

static bool is_guest(enum raw_world world)
{
	return world == RAW_GUEST_KERNEL || world == RAW_GUEST_USER;
}

static unsigned vmid_of(const uint64_t reg[RAW_REGS])
{
	return (unsigned)(reg[RAW_VTTBR] >> 48);
}

static unsigned vcpu_of(const uint64_t reg[RAW_REGS])
{
	return (unsigned)(reg[RAW_VMPIDR] & 0xff);
}

/* Keeps up with which host thread a CPU runs, and returns it. */
static int32_t follow_thread(struct machines *m, unsigned cpu, const uint64_t reg[RAW_REGS])
{
	enum raw_world world = raw_world(reg);

	if (raw_vhe(reg))
		m->host_thread[cpu] = (int32_t)reg[RAW_CONTEXTIDR_EL2];
	else if (world == RAW_HOST_KERNEL || world == RAW_HOST_USER)
		m->host_thread[cpu] = (int32_t)reg[RAW_CONTEXTIDR_EL1];
	if (m->host_thread[cpu] >= 0 || !is_guest(world))
		return m->host_thread[cpu];
	for (unsigned i = 0; i < m->vcpus; i++)
		if (m->vcpu[i].vmid == vmid_of(reg) && m->vcpu[i].vcpu == vcpu_of(reg))
			return m->vcpu[i].thread;
	return -1;
}

/* The vCPU of a host's thread that has a virtual EL2; NULL: it has none. */
static struct hypervisor_vcpu *nesting_of(struct machines *m, int32_t thread)
{
	for (unsigned i = 0; i < m->nestings; i++)
		if (m->nesting[i].thread == thread)
			return &m->nesting[i];
	return NULL;
}

/* A guest runs at its virtual EL2, or the EL0 of that. */
static void learn_nesting(struct machines *m, int32_t thread, const uint64_t reg[RAW_REGS])
{
	struct hypervisor_vcpu *v = nesting_of(m, thread);

	if (!v) {
		if (m->nestings == sizeof(m->nesting) / sizeof(m->nesting[0])) {
			fprintf(stderr, "more vCPUs with EL2 than the table holds\n");
			exit(2);
		}
		v = &m->nesting[m->nestings++];
		v->thread = thread;
	}
	v->vcpu = vcpu_of(reg);
	v->guest_tid = (int32_t)reg[RAW_CONTEXTIDR_EL1];
}

/* A guest of a guest runs there on a vCPU of which the guest's thread may be known. */
static void learn_nested(struct machines *m, const struct hypervisor_vcpu *v, unsigned vmid)
{
	if (v->guest_tid < 0)
		return;
	for (unsigned i = 0; i < m->nesteds; i++)
		if (m->nested[i].thread == v->thread && m->nested[i].vmid == vmid) {
			if (m->nested[i].guest_tid != v->guest_tid)
				m->nested[i].guest_tid = -1;
			return;
		}
	if (m->nesteds == sizeof(m->nested) / sizeof(m->nested[0])) {
		fprintf(stderr, "more guests of guests than the table holds\n");
		exit(2);
	}
	m->nested[m->nesteds++] = (struct nested_vcpu){v->thread, v->guest_tid, vmid};
}

/* The guest's thread that runs a guest of its own. */
static int32_t guest_thread(const struct machines *m, const struct hypervisor_vcpu *v,
			    unsigned vmid)
{
	for (unsigned i = 0; v->guest_tid < 0 && i < m->nesteds; i++)
		if (m->nested[i].thread == v->thread && m->nested[i].vmid == vmid)
			return m->nested[i].guest_tid;
	return v->guest_tid;
}

void machines_rewind(struct machines *m)
{
	for (unsigned i = 0; i < m->nestings; i++)
		m->nesting[i].guest_tid = -1;
	for (int i = 0; i < RAW_MAX_CPUS; i++)
		m->host_thread[i] = -1;
}

void machines_learn(struct machines *m, unsigned cpu, const uint64_t reg[RAW_REGS])
{
	bool known = m->host_thread[cpu] >= 0;
	int32_t thread = follow_thread(m, cpu, reg);

	if (!is_guest(raw_world(reg)) || thread < 0 || !known)
		return;
	if (raw_virtual_el2(reg))
		learn_nesting(m, thread, reg);
	else if (nesting_of(m, thread))
		learn_nested(m, nesting_of(m, thread), vmid_of(reg));
	for (unsigned i = 0; i < m->vcpus; i++)
		if (m->vcpu[i].vmid == vmid_of(reg) && m->vcpu[i].vcpu == vcpu_of(reg))
			return;
	if (m->vcpus == sizeof(m->vcpu) / sizeof(m->vcpu[0]))
		return;
	m->vcpu[m->vcpus].vmid = vmid_of(reg);
	m->vcpu[m->vcpus].vcpu = vcpu_of(reg);
	m->vcpu[m->vcpus++].thread = thread;
}

/* The level of a guest's owner, and of the guest of a guest which it is. */
static void find_level(struct machines *m, struct owner *o, const uint64_t reg[RAW_REGS],
		       uint64_t counter)
{
	struct hypervisor_vcpu *v = nesting_of(m, o->host_tid);
	const struct machine *guest;

	o->level = 1;
	if (v && raw_virtual_el2(reg))
		v->guest_tid = (int32_t)reg[RAW_CONTEXTIDR_EL1];
	if (!v || raw_virtual_el2(reg))
		return;
	o->level = 2;
	o->vcpu = (int32_t)v->vcpu;
	o->guest_tid = guest_thread(m, v, vmid_of(reg));
	o->nested = o->guest_tid;
	guest = machine_of(m, o->vm, 0);
	if (guest && !guest->bare)
		o->nested = sb_pid(&guest->sb, o->guest_tid,
				   sb_time(&guest->sb, counter - guest->cntvoff), NULL);
}

struct owner owner_of(struct machines *m, unsigned cpu, const uint64_t reg[RAW_REGS],
		      uint64_t counter)
{
	struct owner o = {.world = raw_world(reg),
			  .el = reg[RAW_EL] & 3,
			  .vcpu = -1,
			  .tid = -1,
			  .level = m->nestings ? 0 : -1,
			  .guest_tid = -1};
	const struct sideband *sb = &m->machine[0].sb;
	struct machine *guest;

	o.now = sb_time(sb, counter);

	o.user = o.el == 0;
	o.host_tid = follow_thread(m, cpu, reg);
	if (is_guest(o.world)) {
		if (m->machine[0].hypervisor)
			o.vm = (int32_t)vmid_of(reg);
		else
			o.vm = o.host_tid > 0 ? sb_pid(sb, o.host_tid, o.now, NULL) : -1;
		o.vcpu = (int32_t)vcpu_of(reg);
		o.tid = (int32_t)reg[RAW_CONTEXTIDR_EL1];
		if (m->nestings)
			find_level(m, &o, reg, counter);
		guest = machine_of(m, o.vm, o.nested);
		sb = guest && !guest->bare ? &guest->sb : NULL;
		if (guest) {
			guest->moved |= guest->has_cntvoff && guest->cntvoff != reg[RAW_CNTVOFF];
			guest->cntvoff = reg[RAW_CNTVOFF];
			guest->has_cntvoff = true;
			if (sb)
				o.now = sb_time(sb, counter - guest->cntvoff);
		}
	} else {
		o.tid = o.host_tid;
		sb = m->machine[0].hypervisor ? NULL : sb;
	}
	o.pid = sb ? sb_pid(sb, o.tid, o.now, m->names ? &o.comm : NULL) : -1;
	return o;
}

bool owner_equal(const struct owner *a, const struct owner *b)
{
	return a->world == b->world && a->el == b->el && a->vm == b->vm && a->vcpu == b->vcpu &&
	       a->pid == b->pid && a->tid == b->tid && a->host_tid == b->host_tid &&
	       a->level == b->level && a->nested == b->nested && a->guest_tid == b->guest_tid &&
	       !strcmp(a->comm ? a->comm : "", b->comm ? b->comm : "");
}

/* The name as one word: blanks, backslashes and what is not ASCII in octal, as /proc/mounts has
 * them. */
static void print_comm(const char *comm, char *text, size_t size)
{
	size_t n = (size_t)snprintf(text, size, " comm=");

	for (; *comm && n + 5 < size; comm++)
		n += (size_t)snprintf(text + n, size - n,
				      *comm > ' ' && *comm < 127 && *comm != '\\' ? "%c" : "\\%03o",
				      (unsigned char)*comm);
}

void owner_print(const struct owner *o, char *text, size_t size)
{
	char comm[128] = "", level[80] = "";
	static const char *const worlds[RAW_WORLDS] = {
		[RAW_HOST_KERNEL] = "host",	 [RAW_HOST_USER] = "host",
		[RAW_HYPERVISOR] = "hypervisor", [RAW_GUEST_KERNEL] = "guest",
		[RAW_GUEST_USER] = "guest",
	};

	if (o->comm)
		print_comm(o->comm, comm, sizeof(comm));
	if (o->level >= 0)
		snprintf(level, sizeof(level), " level=%d nested=%d guest_tid=%d", o->level,
			 o->nested, o->guest_tid);
	snprintf(text, size,
		 "world=%s privilege=%s el=%u vm=%d vcpu=%d pid=%d tid=%d host_tid=%d%s%s",
		 worlds[o->world], o->user ? "user" : "kernel", o->el, o->vm, o->vcpu, o->pid,
		 o->tid, o->host_tid, level, comm);
}
