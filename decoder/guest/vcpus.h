/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The vCPU table: which host thread runs which vCPU of which VM.
 *
 * A VM is known by the PID of its VMM, perf's machine_pid; a vCPU by the host TID that enters it
 * (KVM_RUN).  Sources: the entries of PERF_RECORD_ID_INDEX that perf
 * inject --guest-data wrote, names that VMMs give their threads, KVM's tracepoints and debugfs,
 * the user, and the trace.
 */
#ifndef DECODER_GUEST_VCPUS_H
#define DECODER_GUEST_VCPUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/attribution.h"

struct csg_vcpus {
	struct csg_vcpu_entry *entries; /* sorted by tid */
	size_t count, room;
};

/* All zero is an empty table. */
void csg_vcpus_fini(struct csg_vcpus *vcpus);

/*
 * Adds what a source says of its tid; enum csg_vcpu_source says what becomes of what others said.  0 or
 * -CSG_E_NO_MEMORY.
 */
int csg_vcpus_add(struct csg_vcpus *vcpus, const struct csg_vcpu_entry *entry);

/* The entry of tid, or NULL; valid until the next _add(). */
const struct csg_vcpu_entry *csg_vcpus_find(const struct csg_vcpus *vcpus, int32_t tid);

/* Whether a thread of the process may run a vCPU, as far as any source says. */
bool csg_vcpus_is_vmm(const struct csg_vcpus *vcpus, int32_t pid);

/* The same as a source other than the trace says, which shows guests that never ran where it is damaged. */
bool csg_vcpus_names_vmm(const struct csg_vcpus *vcpus, int32_t pid);

/*
 * The VM of which a host thread of process pid (-1: not known) may run a vCPU: that of its entry, or its
 * process if another thread of it is known to run one.  Nothing says that a table is complete: names
 * are no ABI, and the user may name one thread alone.  0: none; CSG_VM_UNKNOWN: of any.  The idle
 * thread runs none, nor does the main thread of a VMM that has threads for its vCPUs, by their
 * names or ID_INDEX, and whatever KVM's list names them of.
 */
int32_t csg_vcpus_vm_of(const struct csg_vcpus *vcpus, int32_t pid, int32_t tid);

/* Whether it may run a vCPU of vm; CSG_VM_UNKNOWN: of any VM. */
bool csg_vcpus_may_run(const struct csg_vcpus *vcpus, int32_t pid, int32_t tid, int32_t vm);

/* The n of a name that a VMM gives the thread of a vCPU, "CPU n/KVM" of QEMU for example, or -1. */
int32_t csg_vcpu_of_name(const char *comm);

#endif
