/* SPDX-License-Identifier: BSD-3-Clause */
/* What is put into an injected perf.data (inject/injection.h). */
#ifndef COMMAND_INJECT_INJECTED_H
#define COMMAND_INJECT_INJECTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/recording.h"

struct csg_injection_setup {
	const char *path; /* for messages */
	int fd;		  /* where it goes; stays open, and is empty unless it is a pipe */
	bool pipe;	  /* it goes out as a pipe: fd need not be one, but is not sought in */
	bool branches, instructions;
	const char *branches_name, *instructions_name; /* with modifiers: "branches:uH" */
	uint64_t period;			       /* instructions: one sample for this many */
	bool stacks; /* samples have branch stacks, and perf report shows them */
	bool chains; /* instructions have call chains */
	/* Samples come in the order of their times: then perf, too, needs to keep few of them. */
	bool in_order;
	/* Brings a time of the guest (ns) to the host's; 0: not known, or not yet.  NULL: never. */
	uint64_t (*to_host)(void *arg, int32_t machine_pid, uint64_t time);
	void *arg;
};

/* Which guest: the IDs belong to it. */
struct csg_injected_guest {
	int32_t machine_pid; /* 0: the host, and the rest is of no account */
	int32_t vcpu;	     /* -1: unknown */
	int32_t tid;	     /* host thread that runs the vCPU; -1: unknown */
};

struct csg_injected_branch {
	uint64_t from, to;
};

struct csg_injected_sample {
	bool branch;	 /* else: instruction */
	uint8_t cpumode; /* enum csg_cpumode */
	uint64_t time, ip, addr, period;
	int32_t pid, tid, cpu; /* -1: unknown */
	struct csg_injected_guest guest;
	const struct csg_injected_branch *stack; /* newest first */
	size_t n_stack;
	const uint64_t *chain; /* addresses, innermost first, and CSG_CONTEXT_* */
	size_t n_chain;
};

/*
 * enum perf_callchain_context: an entry of a call chain that says where those after it ran.  Perf
 * looks them up in the machine of the sample's thread.
 */
#define CSG_CONTEXT_HV ((uint64_t)-32)
#define CSG_CONTEXT_KERNEL ((uint64_t)-128)
#define CSG_CONTEXT_USER ((uint64_t)-512)
#define CSG_CONTEXT_GUEST_KERNEL ((uint64_t)-2176)
#define CSG_CONTEXT_GUEST_USER ((uint64_t)-2560)
#define CSG_CONTEXT_MAX ((uint64_t)-4095) /* no address is as high */

/* Where a guest's kernel is, as PERF_RECORD_MMAP tells perf. */
struct csg_injected_kernel {
	uint64_t start, len;
	const char *reference; /* a symbol, "_text", and where it is */
	uint64_t reference_address;
};

/* Trace that was lost: PERF_RECORD_AUXTRACE_ERROR. */
struct csg_injected_error {
	uint32_t code;
	int32_t cpu, pid, tid;
	uint64_t ip, time;
	const char *text;
	struct csg_injected_guest guest;
};

#endif
