/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fit: a VM's counter offset from what its guest recorded.
 *
 * Whatever a guest records happens while one of its vCPUs runs, so at
 *
 *	guest's counter + CNTVOFF = physical counter
 *
 * one of its vCPU threads was on a CPU of the host.  Each event leaves of the offsets that are
 * still possible those that take it into a time at which that may have been; what remains after
 * many is narrow, as residencies are short and come without a pattern.  Several intervals may
 * remain: the offset is in one of them, and csg_fit_offset() tells what spans them all.
 *
 * Nothing here asks for trace, so it works where the trace's clock is unrelated.  An offset that
 * changes during the guest's recording leaves nothing: no offset is known then.
 */
#ifndef DECODER_CLOCK_FIT_H
#define DECODER_CLOCK_FIT_H

#include "clock/offsets.h"

/* From when to when (physical counter, both included) a vCPU of the VM may have run. */
struct csg_fit_time {
	uint64_t from, until;
};

struct csg_fit {
	const struct csg_fit_time *times; /* the caller's, sorted, none overlaps another */
	size_t time_count;
	struct csg_offset *offsets; /* still possible; sorted, none overlaps another */
	size_t count, capacity;
	struct csg_offset *next; /* being made */
	size_t next_capacity;
	uint64_t events; /* that were taken */
	uint64_t work;	 /* steps done so far, which are limited */
};

/* within: what is known of the offset already.  0 or -CSG_E_NO_MEMORY. */
int csg_fit_init(struct csg_fit *fit, const struct csg_fit_time *times, size_t n,
		 const struct csg_offset *within);
void csg_fit_fini(struct csg_fit *fit);

/*
 * Something that the guest recorded when its counter stood between low and high.  Events that would
 * take too long to compare are left out, which leaves the offset wider.  0 or -CSG_E_NO_MEMORY.
 */
int csg_fit_event(struct csg_fit *fit, uint64_t low, uint64_t high);

/* What spans all offsets that are possible; false: none is, the recording is not of this VM. */
bool csg_fit_offset(const struct csg_fit *fit, struct csg_offset *offset);

#endif
