/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What csguest collect does on a machine: a list of steps, made from what the machine offers
 * (collect/probe.h), and the findings: what it cannot give, why, and what would help.  Nothing is
 * run here.
 */
#ifndef COMMAND_COLLECT_COLLECT_H
#define COMMAND_COLLECT_COLLECT_H

#include "collect/probe.h"
#include "collect/trace_event.h"

enum csg_collect_role {
	CSG_COLLECT_AUTO,
	CSG_COLLECT_HOST,  /* traces, with the host's sideband */
	CSG_COLLECT_GUEST, /* the guest's sideband */
	CSG_COLLECT_XEN, /* dom0's sideband, and Xen's domains for a trace recorded from outside */
};

/* What there is of xen-syms, the ELF file of Xen with its symbols (collect/xen_syms.h). */
enum csg_collect_syms {
	CSG_COLLECT_SYMS_NONE,
	CSG_COLLECT_SYMS_SAME,	    /* that of the Xen that runs */
	CSG_COLLECT_SYMS_OTHER,	    /* not that */
	CSG_COLLECT_SYMS_UNCHECKED, /* Xen does not tell */
};

struct csg_collect_options {
	enum csg_collect_role role;
	const char *directory;		  /* where all of it goes */
	const char *perf;		  /* the perf to run */
	const char *aux_size;		  /* of perf record -m, as "16M" */
	enum csg_collect_windows windows; /* of the trace, on a host */
	int64_t preset;			  /* of the strobing; 0: as configfs has it */
	bool no_perf;			  /* it is not there */
	bool no_xl;			  /* Xen's tool is not */
	struct {
		enum csg_collect_syms is;
		const char *path; /* below the machine's root */
	} xen_syms;
	bool kvm_events;      /* samples of kvm_entry and kvm_exit as well */
	char *const *command; /* what runs meanwhile; NULL: wait for seconds */
	int64_t seconds;      /* 0: until perf is interrupted */
	const char *control;  /* of perf record --control, for a perf that is watched; or NULL */
};

enum csg_collect_kind {
	CSG_COLLECT_RUN,  /* argv; standard output to file, unless NULL */
	CSG_COLLECT_COPY, /* source to file */
	/* of Xen's log, argv[0]: from its last dump of domains on, appended to file */
	CSG_COLLECT_XEN_DUMP,
	CSG_COLLECT_VCPUS, /* vCPUs as KVM's debugfs lists them, to file; source: where it does */
	CSG_COLLECT_NAMES, /* what VMs are called, to file */
	CSG_COLLECT_CLOCK, /* clocks of the kernel and the counter, to file */
	CSG_COLLECT_ABOUT, /* what the machine offers, to file */
};

struct csg_collect_step {
	uint8_t kind;	      /* enum csg_collect_kind */
	bool may_fail;	      /* nothing else depends on it */
	bool snapshots;	      /* it takes one at SIGUSR2 */
	bool watched;	      /* it is the perf that is watched */
	bool last;	      /* also when a step before it failed */
	bool append;	      /* file is begun by another step */
	bool wants_xenstored; /* it waits for that, forever */
	uint8_t patience;     /* seconds that it may take; 0: as long as it likes */
	uint8_t needs;	      /* steps right before it that must have gone well */
	const char *why;      /* one line */
	char *file;	      /* below the directory; with it in front */
	const char *source;
	char **argv; /* ends with NULL */
	size_t argc, argv_capacity;
};

struct csg_finding {
	bool grave; /* there will be no trace, or nothing at all */
	const char *text, *remedy;
};

#define CSG_COLLECT_STEPS 24
#define CSG_COLLECT_FINDINGS 24
#define CSG_COLLECT_PATIENCE 30

struct csg_collect {
	enum csg_collect_role role; /* never AUTO */
	struct csg_collect_step steps[CSG_COLLECT_STEPS];
	size_t step_count;
	struct csg_finding findings[CSG_COLLECT_FINDINGS];
	size_t finding_count;
	bool impossible; /* perf would refuse, or nothing could read it: to be refused */
	bool no_memory;
};

/* -CSG_E_NO_MEMORY. */
int csg_collect_plan(struct csg_collect *plan, const struct csg_probe *probe,
		     const struct csg_collect_options *options);
void csg_collect_fini(struct csg_collect *plan);

#endif
