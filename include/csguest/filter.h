/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A filter says which elements a session hands out.  Elements that it leaves out are decoded all
 * the same where others depend on them: a filter never changes an owner, a time or an address, so
 * that filtered elements are those of the whole session, filtered afterwards.
 *
 * A member that is empty (NULL, 0) does not filter.  Members that are given must all agree.
 */
#ifndef CSGUEST_FILTER_H
#define CSGUEST_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct csg_filter {
	size_t size;
	const int32_t *cpus; /* streams of these CPUs; others are not decoded */
	size_t cpu_count;
	bool has_trace_id; /* streams with trace_id; others are not decoded */
	uint8_t trace_id;
	uint64_t begin_time, end_time; /* host perf time, ns, both included; 0: no bound */
	const int32_t *vms;	       /* csg_owner.vm; CSG_VM_HOST and CSG_VM_UNKNOWN as well */
	size_t vm_count;
	uint32_t worlds;      /* set of 1 << enum csg_world */
	const int32_t *vcpus; /* csg_owner.vcpu */
	size_t vcpu_count;
	const int32_t *pids; /* csg_owner.pid, each in its machine */
	size_t pid_count;
	const int32_t *tids; /* csg_owner.tid, each in its machine */
	size_t tid_count;
};

#ifdef __cplusplus
}
#endif

#endif
