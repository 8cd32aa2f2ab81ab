/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel's symbols and lines, and the names of what lies beside it. */
#ifndef DECODER_IMAGE_KERNEL_KERNEL_SYMBOLS_H
#define DECODER_IMAGE_KERNEL_KERNEL_SYMBOLS_H

#include <stdint.h>

#include "csguest/symbol.h"

struct csg_machine;
struct csg_space;

/* csg_space_symbol() of the kernel's space; time is the machine's own. */
int csg_kernel_symbol(struct csg_space *space, uint64_t addr, uint64_t time,
		      struct csg_symbol *symbol);

/* csg_space_line() of the kernel's space; *file NULL: not known. */
int csg_kernel_line(struct csg_machine *machine, uint64_t addr, const char **file, int *line);

#endif
