/* SPDX-License-Identifier: BSD-3-Clause */
/* What the user and the recording say of a machine's kernel (see kernel_state.h). */
#ifndef DECODER_IMAGE_KERNEL_KERNEL_H
#define DECODER_IMAGE_KERNEL_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "image/maps/kernel_options.h"

struct csg_kernel;
struct csg_machine;
struct csg_mapping;

int csg_kernel_set_options(struct csg_machine *machine, const struct csg_kernel_options *options);

/* A kernel or module mapping of the recording. */
int csg_kernel_map(struct csg_machine *machine, const struct csg_mapping *map, uint64_t time);

/* PERF_RECORD_KSYMBOL: kernel text was generated (eBPF programs, trampolines), or removed. */
int csg_kernel_ksymbol(struct csg_machine *machine, const struct csg_mapping *map, bool removed,
		       uint64_t time);

void csg_kernel_fini(struct csg_kernel *kernel);

#endif
