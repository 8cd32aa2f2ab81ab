/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The filters of commands that decode: of whom, and of which CPUs.
 *
 *	--vm LIST	VMs: PID of the VMM (Xen: VMID), name of the guest, UUID, "host", "unknown"
 *	--vcpu LIST	vCPUs, each in its VM
 *	--world LIST	worlds, as enum csg_world has them
 *	--pid LIST	processes, each in its machine
 *	--tid LIST	threads, each in its machine
 *	--comm LIST	threads by name, as it was then
 *	--time A,B	when it ran (text/time_ranges.h)
 *	--dso LIST	objects, by path or its last part
 *	--symbol LIST	functions
 *	-C, --cpu LIST	CPUs whose trace is decoded
 *
 * Those that are given must all agree.  CPUs choose the streams when the session is opened.  The
 * others choose by owner, time and code what is shown of what was decoded: everything is, as the
 * name of a VM may be known only then, and so that what is shown is the same as without a filter.
 */
#ifndef COMMAND_CLI_FILTERS_H
#define COMMAND_CLI_FILTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/code_seen.h"
#include "cli/options.h"
#include "cli/vm_names.h"
#include "csguest/attribution.h"
#include "csguest/owner.h"
#include "csguest/session.h"
#include "text/number_set.h"
#include "text/time_ranges.h"

#define CSG_FILTER_CPUS_MAX 4096 /* CPUs that -C may name */

struct csg_filters {
	const char *command; /* for messages */
	char option
		[CSG_OPTION_WORD_MAX]; /* that is taken, as it was written; "": as it is called */
	const char *vms;	       /* the text of --vm; NULL: all */
	struct csg_vm_names names;     /* with UUIDs, by which --vm may name VMs */
	uint32_t worlds;	       /* set of 1 << enum csg_world; 0: all */
	struct csg_number_set pids, tids, vcpus;
	const char *comms;	       /* the text of --comm; NULL: all */
	const char *times;	       /* the text of --time; NULL: all */
	struct csg_time_ranges ranges; /* what it says, csg_filters_understand_times() */
	const char *dsos, *symbols;    /* the texts of --dso and --symbol; NULL: all */
	struct csg_code_seen *seen;    /* with them, for csg_no_match_warn() */
	int32_t *cpus;		       /* NULL: all */
	size_t cpu_count;
};

/* For CSG_OPTION_CALL(): data is the struct csg_filters.  0, or a negative error that was
 * reported. */
int csg_filters_take_vms(void *data, const char *arg);
int csg_filters_take_worlds(void *data, const char *arg);
int csg_filters_take_pids(void *data, const char *arg);
int csg_filters_take_tids(void *data, const char *arg);
int csg_filters_take_comms(void *data, const char *arg);
int csg_filters_take_dsos(void *data, const char *arg);
int csg_filters_take_symbols(void *data, const char *arg);
int csg_filters_take_vcpus(void *data, const char *arg);
int csg_filters_take_cpus(void *data, const char *arg);

void csg_filters_fini(struct csg_filters *filters);

/* What --time says of a recording that was traced from first to last, csg_traced_span().  0, or a
 * negative error that was reported. */
int csg_filters_understand_times(struct csg_filters *filters, uint64_t first, uint64_t last);

/* Whether they choose by code. */
bool csg_filters_choose_code(const struct csg_filters *filters);
/* --dso and --symbol; both may be NULL. */
bool csg_filters_pass_code(const struct csg_filters *filters, const char *dso, const char *symbol);

/* Whether they choose by owner. */
bool csg_filters_choose(const struct csg_filters *filters);

/* name is what the guest in the VM is called, csg_session_vm_name(), or NULL. */
bool csg_filters_pass_vm(const struct csg_filters *filters, int32_t vm, const char *name);

/* --vm and --vcpu, of a vCPU whether it ran or not. */
bool csg_filters_pass_vcpu(const struct csg_filters *filters, const struct csg_session *session,
			   const struct csg_vcpu_entry *vcpu);

/* --vm, --vcpu and --world: the machine that ran. */
bool csg_filters_pass_machine(const struct csg_filters *filters, const struct csg_session *session,
			      const struct csg_owner *owner);
/* --pid and --tid. */
bool csg_filters_pass_thread(const struct csg_filters *filters, const struct csg_owner *owner);

/* --comm: the name of the owner's thread at time (ns; UINT64_MAX: its latest). */
bool csg_filters_pass_comm(const struct csg_filters *filters, struct csg_session *session,
			   const struct csg_owner *owner, uint64_t time);
/* --comm: any name that the owner's thread ever had. */
bool csg_filters_pass_any_comm(const struct csg_filters *filters, struct csg_session *session,
			       const struct csg_owner *owner);

/* All of them, at time. */
bool csg_filters_pass(const struct csg_filters *filters, struct csg_session *session,
		      const struct csg_owner *owner, uint64_t time);

#endif
