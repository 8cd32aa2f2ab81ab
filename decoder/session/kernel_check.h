/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Before a file is believed to hold a kernel's code: a sample of the addresses that ran there, compared
 * with the file (session/code_sample.h).  A file that the trace contradicts is refused and reported, and
 * its symbols with it.
 *
 * The packets must say whose kernel ran.  With a VHE host, or without guests, the exception level says it of
 * the host's; of a guest's the vCPU's thread in CONTEXTIDR_EL2 does, or that one file is for all guests.
 * What else there is, and trace units that speculate, are not sampled.
 */
#ifndef DECODER_SESSION_KERNEL_CHECK_H
#define DECODER_SESSION_KERNEL_CHECK_H

#include "csguest/hypervisor.h"
#include "recording/recording.h"
#include "session/people.h"

struct csg_kernel_check {
	struct csg_recording *rec;
	const struct csg_people *people;
	enum csg_hypervisor kind; /* in force */
	bool guests;		  /* some may run */
};

/*
 * Checks the kernel of the host (vm CSG_VM_HOST), of a guest, or of CSG_ONLY_GUEST.  0 or a negative
 * error.
 */
int csg_check_kernel(const struct csg_kernel_check *check, int32_t vm);

#endif
