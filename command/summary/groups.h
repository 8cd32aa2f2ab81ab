/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups (summary/group.h) of a recording, made of sums by owner. */
#ifndef COMMAND_SUMMARY_GROUPS_H
#define COMMAND_SUMMARY_GROUPS_H

#include "calls/exits.h"
#include "csguest/attribution.h"
#include "csguest/machine.h"
#include "report/report.h"
#include "summary/group.h"

struct csg_groups {
	struct csg_group *groups; /* VMs first, then the others, each by time, most first */
	size_t n, capacity;
};

/* What is known of vCPU threads of the host, as csg_vcpu_at(). */
struct csg_groups_vcpus {
	const struct csg_vcpu_entry *entries;
	size_t n;
};

/*
 * Makes the groups of what was counted; names are the lookup's.  -CSG_E_NO_MEMORY;
 * csg_groups_fini() is safe even then.
 */
int csg_groups_make(struct csg_groups *groups, const struct csg_cpu_time *time,
		    const struct csg_groups_vcpus *vcpus, const struct csg_lookup *lookup);
void csg_groups_fini(struct csg_groups *groups);

/*
 * Leaves out the VMs that is_shown() denies; the host's groups where it denies CSG_VM_HOST, and
 * what is unknown or lost where it denies CSG_VM_UNKNOWN.
 */
void csg_groups_leave_out(struct csg_groups *groups, bool (*is_shown)(void *arg, int32_t vm),
			  void *arg);

/* csg_cpu_time_sum_scale() of all groups but what is lost. */
void csg_groups_scale(struct csg_groups *groups, double traced);

/* The group of a VM, and of another kind; NULL: there is none. */
struct csg_group *csg_groups_vm(const struct csg_groups *groups, int32_t vm);
struct csg_group *csg_groups_of(const struct csg_groups *groups, enum csg_group_kind kind);

/* How often VMs exited and why: exits are by_vm, and finished. */
int csg_groups_add_exits(struct csg_groups *groups, const struct csg_exits *exits);

/*
 * The functions with most instructions of guests, host and hypervisor; rows are by world, VM, DSO
 * and symbol, most first.  The host's include those that work for VMs.
 */
void csg_groups_add_functions(struct csg_groups *groups, const struct csg_report_row *rows,
			      size_t n);

#endif
