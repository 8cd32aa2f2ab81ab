/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Machines of a session: the host, and the guests that it ran.  A machine is known by a number:
 * CSG_VM_HOST is the host, any other the VM's (csguest/owner.h), which is the PID of its VMM in the
 * host, perf's machine_pid (on Xen: the domain's VMID), where that PID was of one VM.
 *
 * What is known grows while the trace is decoded; all of it is known when csg_session_next() has
 * returned 0.  Strings live as long as the session.  To be asked by the thread that pulls.
 */
#ifndef CSGUEST_MACHINE_H
#define CSGUEST_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct csg_recording;
struct csg_session;
struct csg_vcpu_entry;

/*
 * The machines that the session knows so far, the host and VMs with an owner, a vCPU's thread or a
 * recording of their own: their numbers, by number, the host's first, at most max of them.  How
 * many there are; 0: session is NULL.
 */
size_t csg_session_machines(const struct csg_session *session, int32_t *vms, size_t max);

/* The name that the user (or Xen's list of domains) gave to the guest in a VM; NULL: none. */
const char *csg_session_vm_name(const struct csg_session *session, int32_t vm);

/* The name (comm) of a thread of a machine at a host perf time (ns; UINT64_MAX: latest); or
 * NULL. */
const char *csg_session_comm(struct csg_session *session, int32_t vm, int32_t tid, uint64_t time);

/* The process of a thread at a host perf time; -1: not known. */
int32_t csg_session_process(struct csg_session *session, int32_t vm, int32_t tid, uint64_t time);

/* The time (ns) after `time` from which on comm or process may be others; UINT64_MAX: never. */
uint64_t csg_session_names_until(struct csg_session *session, int32_t vm, int32_t tid,
				 uint64_t time);

/*
 * The VM whose time it is when this owner runs: that of a guest, and of the host's thread the one
 * whose vCPU it runs or whose VMM it is a thread of; CSG_VM_HOST: none.  CSG_VM_UNKNOWN: the thread
 * or its process is not known, or nothing but the trace says that the process runs a VM.
 */
int32_t csg_session_vm_of(const struct csg_session *session, uint32_t owner);

/*
 * The number of the host's process with this PID at a host perf time (ns), as csg_owner.vm and
 * csg_owner.host_process have it: the PID, unless several processes had it, of which one ran a VM.
 * CSG_PID_UNKNOWN: which of them it was is not known.
 */
int32_t csg_session_process_number(const struct csg_session *session, int32_t pid, uint64_t time);

/* What is known of the vCPU that a thread of the host runs; NULL: it runs none. */
const struct csg_vcpu_entry *csg_vcpu_of_thread(const struct csg_session *session, int32_t tid);

/* The vCPU threads known so far, by TID: how many, and one; NULL: none. */
size_t csg_vcpu_count(const struct csg_session *session);
const struct csg_vcpu_entry *csg_vcpu_at(const struct csg_session *session, size_t index);

/* A time during which one thread of the host was on a CPU, by the host's own records. */
struct csg_interval {
	uint64_t from, until; /* host perf time, ns, of its first and its last record */
	int32_t pid, tid;     /* 0 and 0: the idle thread */
	bool joined;	      /* it follows the interval before it without a hole in the records */
};

/*
 * On-CPU intervals of a CPU of the host, in order of time, none overlaps another: how many, and
 * the one with this index, of which the caller knows size bytes.  0, -CSG_E_USAGE.
 */
size_t csg_interval_count(const struct csg_session *session, int32_t cpu);
int csg_interval_at(const struct csg_session *session, int32_t cpu, size_t index,
		    struct csg_interval *interval, size_t size);

/* Recordings that guests made themselves, as given to the session: how many. */
size_t csg_guest_recording_count(const struct csg_session *session);

/*
 * One of them, which belongs to the session; NULL: there are fewer.  *vm, unless vm is NULL, gets
 * the VM that it is of; 0: the session does not use it.
 */
const struct csg_recording *csg_guest_recording(const struct csg_session *session, size_t index,
						int32_t *vm);

/*
 * Host perf time (ns) of a guest's own perf time, by what is known of its counter offset so far;
 * 0: not known to within 100 us.
 */
uint64_t csg_guest_time(const struct csg_session *session, int32_t vm, uint64_t time);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
