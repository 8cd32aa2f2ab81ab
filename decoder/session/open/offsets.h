/* SPDX-License-Identifier: BSD-3-Clause */
/* Counter offsets of the VMs that a session has met, for csguest offsets. */
#ifndef DECODER_SESSION_OPEN_OFFSETS_H
#define DECODER_SESSION_OPEN_OFFSETS_H

#include "clock/offsets.h"
#include "session/run/registry.h"

/* One VM that the recording knows of. */
struct csg_vm_offset {
	int32_t vm;
	const struct csg_offset_vm *timeline; /* NULL: nothing is known; as long as the session */
	uint64_t residencies;		      /* times that its vCPUs were on a CPU, by sideband */
};

/* All VMs, by number; the caller frees *vms.  0 or -CSG_E_NO_MEMORY. */
int csg_registry_offsets(const struct csg_registry *registry, struct csg_vm_offset **vms,
			 size_t *n);

#endif
