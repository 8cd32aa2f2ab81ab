/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counter offsets: CNTVOFF_EL2 of each VM, as an interval.
 *
 * A guest's virtual counter is the physical one less CNTVOFF_EL2.  KVM sets it when it creates the
 * VM's last vCPU; migration, restore and KVM_ARM_SET_COUNTER_OFFSET change it.  Nobody records it:
 * it is bounded by how the trace's timestamps jump when a vCPU is loaded and put, and by the times
 * of what the guest recorded itself.
 *
 * Offsets are signed, in ticks of the counter; times are of the host's physical counter, in ticks.
 */
#ifndef CSGUEST_OFFSET_H
#define CSGUEST_OFFSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct csg_session;

/* No bound on this side. */
#define CSG_OFFSET_MIN INT64_MIN
#define CSG_OFFSET_MAX INT64_MAX

/* CNTVOFF_EL2 lies in it, both ends included.  Does not grow. */
struct csg_offset {
	int64_t low, high;
};

/* Evidence for an offset; bits of a set. */
enum csg_offset_source {
	CSG_OFFSET_BY_TRACE = 1,  /* jumps of the trace's timestamps */
	CSG_OFFSET_BY_EVENTS = 2, /* records of the guest */
	CSG_OFFSET_BY_USER = 4,
};

/* An offset that was in force for a time. */
struct csg_offset_period {
	uint64_t from, until; /* first and last time that it is known to have been in force */
	struct csg_offset offset;
	uint64_t loads, puts; /* jumps of the trace's timestamps that bound it */
	uint64_t events;      /* records of the guest that do */
	uint8_t sources;      /* set of enum csg_offset_source */
	bool contradicted;    /* observations disagree, so that it is not known */
};

/* A VM and what is known of its offset. */
struct csg_offset_vm_info {
	size_t size;
	int32_t vm;		 /* perf's machine_pid */
	uint64_t residencies;	 /* on-CPU intervals of its vCPU threads, by the host's records */
	uint64_t contradictions; /* observations that disagree where no change can have been */
	bool refuted;		 /* the user gave an offset that the trace contradicts */
	const struct csg_offset_period *periods; /* by time, none overlaps another */
	size_t period_count;			 /* 0: nothing is known */
	size_t period_size;			 /* bytes from one period to the next */
};

/*
 * Narrows the offsets by what guests recorded, once all of the trace has been pulled.  0,
 * -CSG_E_USAGE, -CSG_E_NO_MEMORY.
 */
int csg_offset_narrow(struct csg_session *session);

/*
 * The VMs that the session has met, by number, each with its offset as known now.  0, -CSG_E_USAGE,
 * -CSG_E_NO_MEMORY.  The list is the caller's; what it points to stays until the next pull.
 */
struct csg_offset_list;
int csg_offset_list_create(struct csg_offset_list **list, const struct csg_session *session);
void csg_offset_list_destroy(struct csg_offset_list *list);

/*
 * How many VMs it holds, and the one with this index; NULL: none.  They lie in an array, size bytes
 * from one to the next.
 */
size_t csg_offset_list_count(const struct csg_offset_list *list);
const struct csg_offset_vm_info *csg_offset_list_vm(const struct csg_offset_list *list,
						    size_t index);

/* Whether the offset has bounds on both sides. */
static inline bool csg_offset_is_bounded(const struct csg_offset *offset)
{
	return offset->low != CSG_OFFSET_MIN && offset->high != CSG_OFFSET_MAX;
}

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
