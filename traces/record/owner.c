// SPDX-License-Identifier: BSD-3-Clause
#include "owner.h"

#include <stdio.h>
#include <string.h>

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
	m->count++;
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

struct owner owner_of(struct machines *m, unsigned cpu, const uint64_t reg[RAW_REGS],
		      uint64_t counter)
{
	bool vhe = reg[RAW_HCR] >> 34 & 1;
	struct owner o = {.world = raw_world(reg), .el = reg[RAW_EL] & 3, .vcpu = -1, .tid = -1};
	const struct sideband *sb = &m->machine[0].sb;
	struct machine *guest;

	o.now = sb_time(sb, counter);

	o.user = o.el == 0;
	if (vhe)
		m->host_thread[cpu] = (int32_t)reg[RAW_CONTEXTIDR_EL2];
	else if (o.world == RAW_HOST_KERNEL || o.world == RAW_HOST_USER)
		m->host_thread[cpu] = (int32_t)reg[RAW_CONTEXTIDR_EL1];
	o.host_tid = m->host_thread[cpu];
	if (o.world == RAW_GUEST_KERNEL || o.world == RAW_GUEST_USER) {
		o.vm = sb_pid(sb, o.host_tid, o.now, NULL);
		o.vcpu = (int32_t)(reg[RAW_VMPIDR] & 0xff);
		o.tid = (int32_t)reg[RAW_CONTEXTIDR_EL1];
		guest = machine_of(m, o.vm);
		sb = guest ? &guest->sb : NULL;
		if (guest) {
			guest->moved |= guest->has_cntvoff && guest->cntvoff != reg[RAW_CNTVOFF];
			guest->cntvoff = reg[RAW_CNTVOFF];
			guest->has_cntvoff = true;
			o.now = sb_time(sb, counter - guest->cntvoff);
		}
	} else {
		o.tid = o.host_tid;
	}
	o.pid = sb ? sb_pid(sb, o.tid, o.now, NULL) : -1;
	return o;
}

bool owner_equal(const struct owner *a, const struct owner *b)
{
	return a->world == b->world && a->el == b->el && a->vm == b->vm && a->vcpu == b->vcpu &&
	       a->pid == b->pid && a->tid == b->tid && a->host_tid == b->host_tid;
}

void owner_print(const struct owner *o, char *text, size_t size)
{
	static const char *const worlds[RAW_WORLDS] = {
		[RAW_HOST_KERNEL] = "host",	 [RAW_HOST_USER] = "host",
		[RAW_HYPERVISOR] = "hypervisor", [RAW_GUEST_KERNEL] = "guest",
		[RAW_GUEST_USER] = "guest",
	};

	snprintf(text, size, "world=%s privilege=%s el=%u vm=%d vcpu=%d pid=%d tid=%d host_tid=%d",
		 worlds[o->world], o->user ? "user" : "kernel", o->el, o->vm, o->vcpu, o->pid,
		 o->tid, o->host_tid);
}
