/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds whose time slices are: rows of on-CPU intervals that they can have been (time_slices.h). */
#ifndef DECODER_GUEST_SLICES_TIME_SLICE_MATCH_H
#define DECODER_GUEST_SLICES_TIME_SLICE_MATCH_H

#include "guest/facts/kvm_visits.h"
#include "guest/facts/residency.h"
#include "guest/slices/time_slices.h"

/*
 * Finds the threads of all time slices from first on, which a piece of trace shows that was
 * recorded on cpu between two times (ns).  Times, CPU and residency are the host's, or all of them
 * a guest's.  What was seen at the border is forgotten.  0 or -CSG_E_NO_MEMORY.
 */
int csg_time_slices_match(struct csg_time_slices *slices, size_t first,
			  const struct csg_residency *residency,
			  const struct csg_kvm_visits *visits, int32_t cpu, uint64_t from,
			  uint64_t until);

#endif
