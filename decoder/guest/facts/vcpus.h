/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The vCPU table: which host thread runs which vCPU of which VM.
 *
 * A VM is known by the PID of its VMM, perf's machine_pid; a vCPU by the host TID that enters it
 * (KVM_RUN).  Sources: the entries of PERF_RECORD_ID_INDEX that perf
 * inject --guest-data wrote, names that VMMs give their threads, KVM's tracepoints and debugfs,
 * the user, and the trace.
 *
 * A TID comes back: its vCPU is that of one VM while the thread is of one VMM, and of another, or
 * none, while it is of another process.  What names a VM of whose VMM the thread never was
 * contradicts the rest.
 */
#ifndef DECODER_GUEST_FACTS_VCPUS_H
#define DECODER_GUEST_FACTS_VCPUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/attribution.h"

/* How many of a VM's entries there are, what they say of its VMM. */
struct csg_vcpus_of {
	int32_t vm;
	uint32_t entries, named, excluding; /* vcpus.c, count_in() */
};

struct csg_vcpus {
	struct csg_vcpu_entry *entries; /* sorted by tid, then vm */
	size_t count, capacity;
	struct csg_vcpus_of *vms; /* sorted by vm */
	size_t vm_count, vm_capacity;
	/* Whether tid was of process pid at any time: 1, 0, or -1: nothing is known of it. */
	int (*was)(void *arg, int32_t tid, int32_t pid);
	void *arg;
};

/* All zero is an empty table. */
void csg_vcpus_fini(struct csg_vcpus *vcpus);

/*
 * Adds what a source says of its tid in its VM; enum csg_vcpu_source says what becomes of what
 * others said of the two.  0 or -CSG_E_NO_MEMORY.
 */
int csg_vcpus_add(struct csg_vcpus *vcpus, const struct csg_vcpu_entry *entry);

/*
 * Takes n entries, sorted by tid and then vm, and their memory in place of those that are there.  0
 * or -CSG_E_NO_MEMORY, and nothing is taken.
 */
int csg_vcpus_replace(struct csg_vcpus *vcpus, struct csg_vcpu_entry *entries, size_t n);

/*
 * All sources have spoken.  Of a TID that they give several VMs: where it was of the process of
 * each, each holds at its time; else what the user says overrules the others, and without, they
 * contradict each other: the VM is not known.
 */
void csg_vcpus_settle(struct csg_vcpus *vcpus);

/*
 * What is known of tid while it is of process pid, or NULL; valid until the next _add().  pid -1:
 * nothing is known of its process, CSG_PID_SEVERAL: it may be of several.  An entry that names the
 * VM of another process counts where it contradicts what the recording says, and nowhere else.
 */
const struct csg_vcpu_entry *csg_vcpus_find(const struct csg_vcpus *vcpus, int32_t pid,
					    int32_t tid);

/* Whether a thread of the process may run a vCPU, as far as any source says. */
bool csg_vcpus_is_vmm(const struct csg_vcpus *vcpus, int32_t pid);

/* The same as a source other than the trace says, which shows guests that never ran where it is
 * damaged. */
bool csg_vcpus_names_vmm(const struct csg_vcpus *vcpus, int32_t pid);

/*
 * The VM of which a host thread of process pid (below 0: not known) may run a vCPU: that of its
 * entry, or its process if another thread of it is known to run one.  Nothing says that a table is
 * complete: names are no ABI, and the user may name one thread alone.  0: none; CSG_VM_UNKNOWN: of
 * any.  The idle thread runs none, nor does the main thread of a VMM that has threads for its
 * vCPUs, by their names or ID_INDEX, and whatever KVM's list names them of.
 */
int32_t csg_vcpus_vm_of(const struct csg_vcpus *vcpus, int32_t pid, int32_t tid);

/*
 * The VM that a host thread works for, as process and TID are known: it runs a vCPU of it, or is
 * another thread of its VMM.  0: none; CSG_VM_UNKNOWN: its process is not known, or the trace alone
 * says that it runs a VM.
 */
int32_t csg_vcpus_works_for(const struct csg_vcpus *vcpus, int32_t process, int32_t tid);

/* Whether it may run a vCPU of vm; CSG_VM_UNKNOWN: of any VM. */
bool csg_vcpus_may_run(const struct csg_vcpus *vcpus, int32_t pid, int32_t tid, int32_t vm);

#endif
