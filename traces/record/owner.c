// SPDX-License-Identifier: BSD-3-Clause
#include "owner.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "util.h"

int machines_add(struct machines *m, const char *dir)
{
	struct machine *machine = &m->machine[m->count];
	char path[4096];
	uint8_t *text;
	size_t size;

	if (m->count == 1 + MAX_GUESTS) {
		fprintf(stderr, "%s: more than %d guests\n", dir, MAX_GUESTS);
		return -1;
	}
	machine->dir = dir;
	if (m->count) {
		snprintf(path, sizeof(path), "%s/vm", dir);
		text = load(path, &size);
		machine->vm = text ? atoi((char *)text) : 0;
		free(text);
		if (machine->vm <= 0) {
			fprintf(stderr, "%s: names no process of the host\n", path);
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

struct machine *machine_of(struct machines *m, int32_t vm)
{
	for (unsigned i = 0; i < m->count; i++)
		if (m->machine[i].vm == vm)
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

void machines_rewind(struct machines *m)
{
	for (int i = 0; i < RAW_MAX_CPUS; i++)
		m->host_thread[i] = -1;
}

void machines_learn(struct machines *m, unsigned cpu, const uint64_t reg[RAW_REGS])
{
	bool known = m->host_thread[cpu] >= 0;
	int32_t thread = follow_thread(m, cpu, reg);

	if (!is_guest(raw_world(reg)) || thread < 0 || !known)
		return;
	for (unsigned i = 0; i < m->vcpus; i++)
		if (m->vcpu[i].vmid == vmid_of(reg) && m->vcpu[i].vcpu == vcpu_of(reg))
			return;
	if (m->vcpus == sizeof(m->vcpu) / sizeof(m->vcpu[0]))
		return;
	m->vcpu[m->vcpus].vmid = vmid_of(reg);
	m->vcpu[m->vcpus].vcpu = vcpu_of(reg);
	m->vcpu[m->vcpus++].thread = thread;
}

struct owner owner_of(struct machines *m, unsigned cpu, const uint64_t reg[RAW_REGS],
		      uint64_t counter)
{
	struct owner o = {.world = raw_world(reg), .el = reg[RAW_EL] & 3, .vcpu = -1, .tid = -1};
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
		guest = machine_of(m, o.vm);
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
	       !strcmp(a->comm ? a->comm : "", b->comm ? b->comm : "");
}

/* The name as one word: blanks, backslashes and what is not ASCII in octal, as /proc/mounts has them. */
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
	char comm[128] = "";
	static const char *const worlds[RAW_WORLDS] = {
		[RAW_HOST_KERNEL] = "host",	 [RAW_HOST_USER] = "host",
		[RAW_HYPERVISOR] = "hypervisor", [RAW_GUEST_KERNEL] = "guest",
		[RAW_GUEST_USER] = "guest",
	};

	if (o->comm)
		print_comm(o->comm, comm, sizeof(comm));
	snprintf(text, size,
		 "world=%s privilege=%s el=%u vm=%d vcpu=%d pid=%d tid=%d host_tid=%d%s",
		 worlds[o->world], o->user ? "user" : "kernel", o->el, o->vm, o->vcpu, o->pid,
		 o->tid, o->host_tid, comm);
}
