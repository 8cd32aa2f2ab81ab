/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where a kernel lies that no PERF_RECORD_MMAP describes: from its first symbol to its last; and
 * its symbols, all or by name.
 */
#ifndef DECODER_IMAGE_KERNEL_KERNEL_EXTENT_H
#define DECODER_IMAGE_KERNEL_KERNEL_EXTENT_H

#include <stdbool.h>

#include "csguest/session.h"
#include "csguest/symbol.h"

struct csg_space;

/*
 * Of the machine that a kernel space belongs to.  False where the recording itself tells it, the
 * space is no kernel's, or no symbols are known.
 */
bool csg_space_kernel_extent(struct csg_space *space, struct csg_kernel_extent *extent);

/*
 * Calls fn for every symbol of the kernel that a kernel space belongs to, by address, until it
 * returns other than 0; returns that, or 0, or a negative error.  module is "[name]", or NULL.  fn
 * must not ask the image anything.
 */
int csg_space_kernel_symbols(struct csg_space *space, csg_kernel_symbol_fn fn, void *arg);

/*
 * *address of the kernel's own symbol of that name, which is no module's; 0: none.  0 or a negative
 * error.
 */
int csg_space_kernel_address(struct csg_space *space, const char *name, uint64_t *address);

#endif
