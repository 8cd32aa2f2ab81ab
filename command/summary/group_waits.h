/* SPDX-License-Identifier: BSD-3-Clause */
/* The states of vCPUs (waits/waits.h) added up by VM, and who ran instead, by VM and thread. */
#ifndef COMMAND_SUMMARY_GROUP_WAITS_H
#define COMMAND_SUMMARY_GROUP_WAITS_H

#include "summary/groups.h"
#include "timeline/slice_window.h"

struct csg_group_waits {
	const struct csg_waits *waits; /* finished */
	const struct csg_groups_vcpus *vcpus;
	/* Whether it counts.  NULL: all do. */
	bool (*wanted)(void *arg, const struct csg_vcpu_entry *vcpu);
	const struct csg_slice_windows *windows; /* finite, in ns */
	/* The name of a thread of the host, or NULL. */
	const char *(*comm)(void *arg, int32_t tid);
	void *arg;
};

/* Gives the VMs of groups their waits.  -CSG_E_NO_MEMORY. */
int csg_groups_add_waits(struct csg_groups *groups, const struct csg_group_waits *from);

#endif
