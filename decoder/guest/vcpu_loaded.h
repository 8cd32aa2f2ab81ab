/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Without VHE: whether a vCPU is loaded at a timestamp of the trace, and on which thread of the
 * host.
 *
 * While a vCPU is loaded timestamps are its guest's counter, lower by CNTVOFF_EL2.  So one that
 * cannot be the host's time, as it lies before the piece of trace or goes back, is of a VM; and
 * with the offset of each VM that has vCPUs the host's switch records say of which: there its
 * vCPU's thread must have been on the CPU all the time that the offset leaves open, and of no other
 * VM one at all.
 *
 * The offset may rest on what guests recorded alone (csg_guest_tell_offset()).  So nothing is said
 * before CSG_LOADED_FITS timestamps in a row were found to be of one VM, nor after one that is of
 * none.
 *
 * At EL0 a guest runs then, as KVM puts the vCPU before its thread returns to user space.  At EL1
 * it is the guest, or the host's kernel in that thread, which CONTEXTIDR_EL1 tells where the host
 * writes it.
 */
#ifndef DECODER_GUEST_VCPU_LOADED_H
#define DECODER_GUEST_VCPU_LOADED_H

#include "csguest/context.h"
#include "guest/host_alone.h"

#define CSG_LOADED_FITS 8
#define CSG_LOADED_NAMED 4 /* contexts of the host that named its thread in CONTEXTIDR_EL1 */

/* Along one stream; all zero: nothing was seen. */
struct csg_vcpu_loaded {
	uint32_t fits;	/* in a row */
	uint32_t named; /* contexts of the host that named its thread */
	bool wrong;	/* a timestamp was of nobody */
	bool astray;	/* the last timestamp is a guest's, and CONTEXTIDR_EL1 is none of it */
};

/* A host's context at a timestamp at which no guest can have run: csg_host_alone(). */
void csg_vcpu_loaded_see_host(struct csg_vcpu_loaded *loaded, const struct csg_context *context);

/*
 * A timestamp that csg_host_alone() has refused, with context in force: who ran, as far as it
 * proves that; else CSG_WORLD_UNKNOWN.
 */
enum csg_world csg_vcpu_loaded_tell(struct csg_vcpu_loaded *loaded, struct csg_host_alone *alone,
				    uint64_t timestamp, const struct csg_context *context);

#endif
