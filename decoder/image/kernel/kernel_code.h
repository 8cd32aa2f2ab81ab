/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel's code: out of the files, as text pokes left it at the time. */
#ifndef DECODER_IMAGE_KERNEL_KERNEL_CODE_H
#define DECODER_IMAGE_KERNEL_KERNEL_CODE_H

#include <stddef.h>
#include <stdint.h>

struct csg_space;

/* csg_space_code() of the kernel's space; time is the machine's own. */
int csg_kernel_code(struct csg_space *space, uint64_t addr, uint64_t time, const uint8_t **bytes,
		    size_t *len, uint64_t *until);

#endif
