/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/timeline_who.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "text/exception_name.h"
#include "text/vm_name.h"

const char *csg_left_name(int16_t left)
{
	if (left == CSG_LEFT_UNSEEN)
		return NULL;
	if (left == CSG_LEFT_ERET)
		return "ERET";
	return csg_exception_name(left < 0 ? UINT32_MAX : (uint32_t)left);
}

static void add(char *text, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void add(char *text, size_t size, const char *format, ...)
{
	size_t n = strlen(text);
	va_list ap;

	va_start(ap, format);
	vsnprintf(text + n, size - n, format, ap);
	va_end(ap);
}

static void add_vm(const struct csg_timeline_who *who, const char *before, char *text, size_t size)
{
	char vm[CSG_VM_NAME_SIZE];

	if (who->owner.vm <= 0)
		return;
	add(text, size, "%s%s", before, csg_vm_name(who->guest, who->owner.vm, vm));
}

/* A thread that may have run its guest, of which there is no trace. */
static void thread_text(const struct csg_timeline_who *who, char *text, size_t size)
{
	const struct csg_owner *o = &who->owner;

	if (o->host_tid >= 0)
		add(text, size, "thread %d", o->host_tid);
	else
		add(text, size, "vCPU");
	if (o->vm > 0 && o->vcpu >= 0)
		add(text, size, ", vCPU %d", o->vcpu);
	add_vm(who, " of ", text, size);
	add(text, size, ", guest or host not known");
}

/* Where guests have guests: which of them it is. */
static void add_level(const struct csg_owner *o, char *text, size_t size)
{
	if (o->world != CSG_WORLD_GUEST || o->level == CSG_LEVEL_UNKNOWN)
		return;
	add(text, size, " L%u", o->level);
	if (o->nested > 0)
		add(text, size, " VM %d", o->nested);
	if (o->guest_tid >= 0)
		add(text, size, " of thread %d", o->guest_tid);
}

static void owner_text(const struct csg_timeline_who *who, char *text, size_t size)
{
	const struct csg_owner *o = &who->owner;

	add(text, size, "%s", csg_world_name(o->world));
	if (o->world == CSG_WORLD_UNKNOWN)
		add(text, size, ": %s", csg_reason_text(o->reason));
	add_vm(who, " ", text, size);
	if (o->vcpu >= 0)
		add(text, size, " vCPU %d", o->vcpu);
	else if (o->world == CSG_WORLD_GUEST && o->host_tid >= 0)
		add(text, size, " vCPU of thread %d", o->host_tid);
	add_level(o, text, size);
	if (o->privilege != CSG_PRIVILEGE_UNKNOWN)
		add(text, size, o->privilege == CSG_KERNEL ? " kernel" : " user");
	if (who->comm[0])
		add(text, size, " %s", who->comm);
	if (o->pid >= 0 && o->tid >= 0)
		add(text, size, " %d/%d", o->pid, o->tid);
	else if (o->pid >= 0 || o->tid >= 0)
		add(text, size, " %d", o->pid >= 0 ? o->pid : o->tid);
}

static bool is_off(uint8_t gap)
{
	return gap == CSG_GAP_TRACE_ON || gap == CSG_GAP_GUEST;
}

void csg_timeline_who_text(const struct csg_timeline_who *who, char *text, size_t size)
{
	const struct csg_owner *o = &who->owner;

	text[0] = 0;
	if (who->lost && !who->named) {
		add(text, size, "lost: %s", csg_gap_name(who->gap));
		return;
	}
	if (who->lost && o->world == CSG_WORLD_UNKNOWN && (o->vm > 0 || o->host_tid >= 0))
		thread_text(who, text, size);
	else
		owner_text(who, text, size);
	/* Without VHE it was excluded, or is never traced. */
	if (who->lost && o->world == CSG_WORLD_HYPERVISOR)
		add(text, size, " (EL2)");
	if (who->lost && is_off(who->gap))
		add(text, size, ", not traced");
	else if (who->lost)
		add(text, size, ", lost: %s", csg_gap_name(who->gap));
}
