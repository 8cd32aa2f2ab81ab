/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Before a file is believed to hold a kernel's code: a sample of the addresses that ran there,
 * compared with the file (session/open/code_sample.h).  A file that the trace contradicts is
 * refused and reported, and its symbols with it.
 *
 * It must be proved whose kernel ran.  With a VHE host, or without guests, the exception level says
 * it of the host's.  Else the owners do that attribution finds, by whatever evidence but the
 * policy's default; of guests' kernels they may be of several, which only some of them contradict
 * (session/open/code_bouts.h).  Of a trace unit that speculates (TRCIDR8) what it commits is
 * sampled, unless it takes back how it branched. A snapshot's memory is everybody's, so of its
 * host's files everything is sampled that ran where they have code, at the host's exception level
 * if that is known.
 */
#ifndef DECODER_SESSION_OPEN_KERNEL_CHECK_H
#define DECODER_SESSION_OPEN_KERNEL_CHECK_H

#include "csguest/hypervisor.h"
#include "csguest/kernel_file.h"
#include "recording/recording.h"
#include "session/run/registry.h"

struct csg_switch_survey;

/* What came of it, one after the other. */
struct csg_checked_kernels {
	struct csg_kernel_file *list;
	size_t count, capacity;
};

void csg_checked_kernels_fini(struct csg_checked_kernels *files);

struct csg_kernel_check {
	struct csg_recording *rec;
	const struct csg_registry *registry;
	enum csg_hypervisor kind; /* in force */
	bool guests;		  /* some may run */
	bool snapshot;
	const struct csg_switch_survey *surveys; /* of each source: levels of guests; or NULL */
	struct csg_checked_kernels *files;	 /* gets the result; or NULL */
};

/*
 * Checks the kernel of the host (vm CSG_VM_HOST), of a guest, or of CSG_ONLY_GUEST.  All facts must
 * have been stated, except for a host that csg_check_kernel_level_says() of.  0 or a negative
 * error.
 */
bool csg_check_kernel_level_says(const struct csg_kernel_check *check);
int csg_check_kernel(const struct csg_kernel_check *check, int32_t vm);

#endif
