/* SPDX-License-Identifier: BSD-3-Clause */
/* Counter offsets (clock/offsets.h) of the VMs that an attribution has met. */
#ifndef DECODER_GUEST_VM_OFFSETS_H
#define DECODER_GUEST_VM_OFFSETS_H

#include "clock/offsets.h"
#include "csguest/attribution.h"

/* One VM that the recording knows of. */
struct csg_vm_offset {
	int32_t vm;
	const struct csg_offset_vm
		*timeline;    /* NULL: nothing is known; as long as the attribution */
	uint64_t residencies; /* times that its vCPUs were on a CPU, by sideband */
};

/* All VMs, by number; the caller frees *vms.  0 or -CSG_E_NO_MEMORY. */
int csg_attribution_offsets(const struct csg_attribution *attribution, struct csg_vm_offset **vms,
			    size_t *n);

/* What is known of the offset of vm; NULL: nothing. */
const struct csg_offset_vm *csg_attribution_offset_of(const struct csg_attribution *attribution,
						      int32_t vm);

/*
 * When all of the trace has been read: narrows them by what guests recorded (csg_guest_narrow()).
 * -CSG_E_NO_MEMORY.
 */
int csg_attribution_narrow_offsets(struct csg_attribution *attribution);

#endif
