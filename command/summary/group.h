/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who had the CPUs, in few groups: a VM with all that the host does for it, the rest of the host,
 * its idle threads, and what is unknown or lost.  Each slice of time is in one group, so that
 * groups add up to all.
 *
 * Work for a VM is that of the host's threads that run its vCPUs (exits are handled there, in the
 * kernel) and of the other threads of its VMM.
 */
#ifndef COMMAND_SUMMARY_GROUP_H
#define COMMAND_SUMMARY_GROUP_H

#include <stdbool.h>

#include "summary/cpu_time.h"
#include "waits/waits.h"

enum csg_group_kind {
	CSG_GROUP_VM,
	CSG_GROUP_HOST,	     /* what is no VM's */
	CSG_GROUP_HOST_OPEN, /* the host's, for a VM or not: its thread or process is not known */
	CSG_GROUP_IDLE,	     /* of the host */
	CSG_GROUP_HYPERVISOR,
	CSG_GROUP_FIRMWARE,
	CSG_GROUP_UNKNOWN,
	CSG_GROUP_LOST, /* for each kind of gap */
};

enum csg_group_part {
	CSG_GROUP_GUEST_KERNEL,
	CSG_GROUP_GUEST_USER,
	CSG_GROUP_HOST_KERNEL,
	CSG_GROUP_HOST_USER,
	CSG_GROUP_PARTS
};

#define CSG_GROUP_TOP 3 /* reasons and functions that are shown */

/* Exits of a VM for one reason. */
struct csg_group_reason {
	int32_t vm;
	uint32_t exception, handler; /* as in struct csg_exit_key; exception: where handler is 0 */
	const char *handler_name;    /* NULL: none was called */
	bool fast;
	bool idle; /* the guest waited for an interrupt */
	uint64_t count, time;
};

struct csg_group_function {
	const char *symbol, *dso; /* NULL: not known */
	bool no_path;
	uint8_t level; /* CSG_LEVEL_* */
	int32_t nested;
	uint64_t instructions;
};

/* Who ran while vCPUs of a VM were preempted: another VM (or others of its own), or a thread of the
 * host. */
struct csg_group_ran {
	int32_t vm;	  /* CSG_VM_HOST: none */
	int32_t tid;	  /* of the host's thread, 0: an idle one; of a VM -1 */
	const char *name; /* of the VM or of the thread, or NULL */
	uint64_t time;	  /* ns */
};

struct csg_group {
	uint8_t kind;	  /* enum csg_group_kind */
	uint8_t gap;	  /* LOST: enum csg_gap */
	int32_t vm;	  /* VM: CSG_VM_UNKNOWN where it is not known which */
	const char *name; /* of the VM, or NULL */
	struct csg_cpu_time_sum all, part[CSG_GROUP_PARTS];
	uint32_t vcpus;		    /* threads of the host that run its vCPUs */
	bool has_waits;		    /* there are switch records, and vCPUs are known */
	struct csg_wait_sums waits; /* of its vCPU threads, all of them together */
	struct csg_group_ran *ran;  /* most time first; NULL: nobody is known to have run instead */
	size_t ran_count, ran_capacity;
	uint64_t exits, exit_time;
	struct csg_group_reason idle, top[CSG_GROUP_TOP]; /* count 0: none */
	struct csg_group_function functions[CSG_GROUP_TOP];
	size_t function_count;
};

#endif
