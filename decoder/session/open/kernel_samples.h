/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What of the trace kernels' files were compared with, where they agreed: up to
 * CSG_KERNEL_SAMPLE_RUNS stretches of code of each.  Facts hold it (session/trace_index.h); a
 * session that is opened with them compares its files with the same, and reads no trace for it.
 */
#ifndef DECODER_SESSION_OPEN_KERNEL_SAMPLES_H
#define DECODER_SESSION_OPEN_KERNEL_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/pack.h"

#define CSG_KERNEL_SAMPLE_RUNS 128

/* Code that ran: see csg_code_sample_take(). */
struct csg_kernel_run {
	uint64_t address, time; /* ns: whose code it was then */
	uint32_t pattern, features, n;
};

/* Of one kernel. */
struct csg_kernel_sample {
	int32_t vm;
	uint32_t count; /* of runs; more than there is room for: some are missing */
	struct csg_kernel_run runs[CSG_KERNEL_SAMPLE_RUNS];
};

/* All zero is none. */
struct csg_kernel_samples {
	struct csg_kernel_sample *list;
	size_t count, capacity;
};

void csg_kernel_samples_fini(struct csg_kernel_samples *samples);

void csg_kernel_sample_add(struct csg_kernel_sample *sample, const struct csg_kernel_run *run);

/* Keeps a copy, unless some runs are missing, or one of that VM is there. 0 or -CSG_E_NO_MEMORY. */
int csg_kernel_samples_keep(struct csg_kernel_samples *samples,
			    const struct csg_kernel_sample *sample);
/* That of a VM, or NULL. */
const struct csg_kernel_sample *csg_kernel_samples_of(const struct csg_kernel_samples *samples,
						      int32_t vm);

void csg_kernel_samples_pack(const struct csg_kernel_samples *samples, struct csg_pack *pack);
/* 0, -CSG_E_CORRUPT or -CSG_E_NO_MEMORY. */
int csg_kernel_samples_unpack(struct csg_kernel_samples *samples, struct csg_unpack *unpack);

#endif
