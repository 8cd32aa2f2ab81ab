/* SPDX-License-Identifier: BSD-3-Clause */
#include "summary/group_name.h"

#include <stdio.h>

#include "text/vm_name.h"

/* Trace that was off, and trace that was lost. */
static const char *lost_name(uint8_t gap, char *buf, size_t size)
{
	if (gap == CSG_GAP_TRACE_ON)
		return "not traced";
	if (gap == CSG_GAP_GUEST)
		return "guest not traced";
	snprintf(buf, size, "lost: %s", csg_gap_name(gap));
	return buf;
}

const char *csg_group_name(const struct csg_group *group, char *buf, size_t size)
{
	static const char *const names[] = {
		[CSG_GROUP_HOST] = "host, other",  [CSG_GROUP_HOST_OPEN] = "host, unknown",
		[CSG_GROUP_IDLE] = "host, idle",   [CSG_GROUP_HYPERVISOR] = "hypervisor",
		[CSG_GROUP_FIRMWARE] = "firmware", [CSG_GROUP_UNKNOWN] = "unknown",
	};

	char vm[CSG_VM_NAME_SIZE];

	if (group->kind == CSG_GROUP_LOST)
		return lost_name(group->gap, buf, size);
	if (group->kind != CSG_GROUP_VM)
		return names[group->kind];
	snprintf(buf, size, "%s", csg_vm_name(group->name, group->vm, vm));
	return buf;
}
