/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What speaks against what was said or taken for granted of guests: an offset that the user gave
 * (clock/offsets.h), the numbers of a guest's CPUs (guest/facts/guest_cpus.h), who had a VMID
 * (guest/facts/vmids.h), Xen's list of domains (guest/facts/domains.h). Each is reported once, with
 * its evidence, when the attribution has found it out.
 */
#ifndef DECODER_GUEST_GUEST_CONTRADICTIONS_H
#define DECODER_GUEST_GUEST_CONTRADICTIONS_H

#include "csguest/attribution.h"
#include "csguest/diag.h"

struct csg_guest_contradictions {
	/* VMs of which one was reported. */
	struct csg_guest_contradiction {
		int32_t vm;
		bool offset, cpus;
	} * reported;
	size_t count, capacity;
	bool vmid;     /* one that contradicts the other evidence was reported */
	bool unlisted; /* and one that Xen's list of domains lacks */
};

/* All zero is none reported. */
void csg_guest_contradictions_fini(struct csg_guest_contradictions *contradictions);

/* The name that the user gave vm, or NULL. */
typedef const char *(*csg_guest_name_fn)(const void *arg, int32_t vm);

/* Reports what is new.  0 or -CSG_E_NO_MEMORY. */
int csg_guest_contradictions_report(struct csg_guest_contradictions *contradictions,
				    const struct csg_attribution *attribution,
				    csg_guest_name_fn name, const void *arg,
				    const struct csg_diag_sink *sink);

#endif
