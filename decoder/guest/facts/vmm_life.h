/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Between which times a VM's process existed, as FORK and EXIT records bound it: its guest ran, and
 * recorded, at no other time.
 */
#ifndef DECODER_GUEST_FACTS_VMM_LIFE_H
#define DECODER_GUEST_FACTS_VMM_LIFE_H

#include "guest/facts/facts_machine.h"

struct csg_vmm_life {
	uint64_t from, until; /* host perf time, ns; 0 and UINT64_MAX: open */
};

/*
 * The life of process pid of the host.  Of several that had this PID one after another: from the
 * first one's beginning to the last one's end.  An end is open where a thread was there before the
 * records, or has not ended in them, or where records were lost that might say so.  Facts are
 * sealed.
 */
struct csg_vmm_life csg_vmm_life(const struct csg_facts_machine *host, int32_t pid);

#endif
