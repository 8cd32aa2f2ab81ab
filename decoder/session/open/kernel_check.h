/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Before a file is believed to hold a kernel's code: a sample of the addresses that ran there
 * (session/open/kernel_sampler.h), compared with the file.  A file that the trace contradicts is
 * refused and reported, and its symbols with it.
 */
#ifndef DECODER_SESSION_OPEN_KERNEL_CHECK_H
#define DECODER_SESSION_OPEN_KERNEL_CHECK_H

#include "csguest/kernel_file.h"
#include "session/open/kernel_samples.h"
#include "session/open/kernel_sampler.h"

/* What came of it, one after the other. */
struct csg_checked_kernels {
	struct csg_kernel_file *list;
	size_t count, capacity;
	struct csg_kernel_samples samples; /* what those were compared with that agree */
};

void csg_checked_kernels_fini(struct csg_checked_kernels *files);

struct csg_kernel_check {
	struct csg_sampled_trace trace;
	const struct csg_kernel_samples *known; /* compared with first; or NULL */
	struct csg_checked_kernels *files;	/* gets the result; or NULL */
};

/*
 * Checks the kernel of the host (vm CSG_VM_HOST), of a guest, or of CSG_ONLY_GUEST.  All facts must
 * have been stated, except for a host that csg_sampled_trace_level_says() of.  0 or a negative
 * error.
 */
int csg_check_kernel(const struct csg_kernel_check *check, int32_t vm);

#endif
