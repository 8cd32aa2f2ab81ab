/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples with their owners become samples of a perf.data (inject/injection.h).
 *
 * perf chooses by cpumode and machine_pid in which machine it looks an address up, and has one of
 * each for a sample.  So:
 *
 *   - A branch from one machine to another is two samples: one that goes nowhere, one that comes
 *     from nowhere.  perf would give the target a symbol of the machine that was left.
 *   - A branch stack ends where it leaves the machine of its sample.
 *   - So does a call chain, and it has no user code of another process than the sample's.  Before
 *     the frames of each mode stands its PERF_CONTEXT_*.  Joined, a guest's goes on in the host's
 *     kernel and the VMM, which a perf with our patches finds there.
 *   - Where it is not known who ran, cpumode is unknown and pid and tid are -1: perf shows address
 *     and CPU and gives them to nobody.
 *   - A guest of which the VM is not known is CSG_INJECT_NO_VM; perf takes each machine_pid for
 *     another machine, 0 for the host, and -1 for the host as well.
 *
 * Times never run backwards where samples come in the order of times: one that does, in a clock
 * nobody converted, gets that of the one before.
 */
#ifndef COMMAND_INJECT_INJECT_H
#define COMMAND_INJECT_INJECT_H

#include "inject/injection.h"
#include "lookup/lookup.h"
#include "script/sample.h"
#include "script/sample_text.h"

#define CSG_INJECT_NO_VM (-2) /* machine_pid */

struct csg_inject_counts {
	uint64_t branches, instructions, errors; /* samples written */
	uint64_t split;				 /* branches that were written as two */
	uint64_t unknown;			 /* samples of nobody: cpumode unknown */
	uint64_t no_vm;				 /* of a guest whose VM is not known */
	uint64_t nested;			 /* of a guest of a guest: without an address */
	uint64_t late; /* samples whose time was not used as it ran backwards */
};

struct csg_inject_vm {
	int32_t vm;
	uint32_t owner; /* one whose code is in its kernel */
};

struct csg_inject {
	struct csg_injection *to;
	const struct csg_sample_names *names;
	/* Both owners are of one machine and world. */
	bool (*same_machine)(void *arg, uint32_t a, uint32_t b);
	/* Where the kernel of this owner's VM lies; false: not known, or perf will know. */
	bool (*kernel)(void *arg, uint32_t owner, struct csg_injected_kernel *kernel);
	void *arg;     /* of both */
	bool in_order; /* as csg_injection_setup has it */
	bool stacks, chains;
	bool joined; /* guests' chains go on in what runs their vCPU; not with plain */
	bool plain; /* guests' frames are marked as the host's: perf before our patches drops chains
		       with guests' marks, and looks frames up in the sample's machine anyway */
	uint64_t first,
		last;	 /* times of the recording; in_order: last is that of the last sample */
	uint64_t latest; /* no time is later; 0: not known */

	struct csg_inject_vm *vms; /* whose kernel ran */
	size_t vm_count, vm_capacity;
	struct csg_injected_branch *stack; /* of the current sample */
	size_t stack_capacity;
	uint64_t *chain; /* of the current sample */
	size_t chain_capacity;
	struct csg_inject_counts counts;
};

/* The rest of the fields is the caller's to fill; zero-filled they are empty. */
void csg_inject_fini(struct csg_inject *inject);

/* Writes one sample with its branch stack and call chain.  0 or an error that was reported. */
int csg_inject_sample(struct csg_inject *inject, const struct csg_sample *sample,
		      const struct csg_sample_branch *stack, const struct csg_sample_frame *chain);

#endif
