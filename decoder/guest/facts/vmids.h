/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * VMIDs under KVM, as one trace unit shows them: a source of evidence that checks who a guest was,
 * and names nobody.
 *
 * KVM gives a VM its VMID when it enters it, and takes all VMIDs back when none is left (a
 * rollover); only those that a CPU is running with are kept.  So a VMID that was proved to be one
 * VM's may be another's later, and nothing in the trace tells of the rollover in between: which VM
 * ran is proved by other evidence, residency say, and VMIDs are learned from that.
 *
 *	the same VM as before		they agree: CSG_EVIDENCE_VMID
 *	another VM			there was a rollover: what was learned until then has
 *					expired
 *	the VM that had it before	two rollovers, in which the same two VMs got the same number
 *					in time slices: rather is the other evidence wrong, here or
 *					there.  Which nobody knows: from here on that VMID is
 *					nobody's, and it contradicts whoever is said to have it
 *
 * A guest of a guest has a VMID of its own (one for each shadow stage 2, which KVM takes for
 * another guest of the VM when it needs to), so that "who" is a VM and a level, and a VM may have
 * several. Zero is no guest's.
 */
#ifndef DECODER_GUEST_FACTS_VMIDS_H
#define DECODER_GUEST_FACTS_VMIDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CSG_VMIDS 64 /* of which one knows; when more are met the oldest is forgotten */

struct csg_vmid {
	uint32_t vmid;
	int32_t vm;
	int32_t former; /* who had it before; CSG_VM_UNKNOWN: nobody */
	uint8_t level, former_level;
	bool disputed;
};

/* All zero is none learned. */
struct csg_vmids {
	struct csg_vmid known[CSG_VMIDS];
	size_t count, next;
};

enum csg_vmid_says {
	CSG_VMID_NOTHING,
	CSG_VMID_AGREES,
	CSG_VMID_CONTRADICTS,
};

/*
 * A guest ran with vmid; other evidence proves that it was of vm at this level.  *known is why,
 * where it contradicts.
 */
enum csg_vmid_says csg_vmids_prove(struct csg_vmids *vmids, uint32_t vmid, int32_t vm,
				   uint8_t level, struct csg_vmid *known);

#endif
