/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Processes of the host that had one PID, one after the other, where the PID was a VMM's: which of
 * them ran a VM, and the numbers by which they are distinguished (csguest/owner.h, CSG_VM_AGAIN).
 *
 * A process begins with the FORK of its main thread.  Where that is missing, it begins with what
 * names the main thread first after its EXIT, or after another process had its ID; what lies
 * between is of neither. If no record is there, it is the same process: Linux gives out all other
 * PIDs before one comes back.
 *
 * A process ran a VM if a thread was named as a vCPU's, or reported KVM's events, while it lived,
 * or if what says so without a time can mean no other.  The one that did keeps the PID for its
 * number; where several did, each has a number of its own, and what says no time says nothing.
 */
#ifndef DECODER_GUEST_FACTS_PROCESS_LIVES_H
#define DECODER_GUEST_FACTS_PROCESS_LIVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct csg_process_life {
	int32_t pid;
	int32_t number;
	uint64_t from, until; /* host perf time, ns, both included */
	bool runs_vm;
};

/* A thread got the name of a vCPU's. */
struct csg_vcpu_naming {
	int32_t pid, tid, vcpu;
	uint64_t time;
};

struct csg_process_lives {
	struct csg_process_life *lives; /* by PID, then time; of PIDs that came back alone */
	size_t count, capacity;
	struct csg_vcpu_naming *namings;
	size_t naming_count, naming_capacity;
};

/* All zero: none. */
void csg_process_lives_fini(struct csg_process_lives *lives);

/* 0 or -CSG_E_NO_MEMORY. */
int csg_process_lives_name(struct csg_process_lives *lives, const struct csg_vcpu_naming *naming);

/* Another process with this PID, the last one's next, until the end.  0 or -CSG_E_NO_MEMORY. */
int csg_process_lives_add(struct csg_process_lives *lives, int32_t pid, uint64_t from);

/* Those with a PID: how many; *first gets them. */
size_t csg_process_lives_of(const struct csg_process_lives *lives, int32_t pid,
			    struct csg_process_life **first);

/* The one with a PID that lived at a time, or NULL. */
struct csg_process_life *csg_process_life_at(const struct csg_process_lives *lives, int32_t pid,
					     uint64_t time);

/* The number of the process with this PID at a time; CSG_PID_UNKNOWN: it is not known which. */
int32_t csg_process_number(const struct csg_process_lives *lives, int32_t pid, uint64_t time);

#endif
