/* SPDX-License-Identifier: BSD-3-Clause */
/* A kernel's symbols, wherever they came from, as the /proc/kallsyms that perf reads. */
#ifndef COMMAND_INJECT_KALLSYMS_FILE_H
#define COMMAND_INJECT_KALLSYMS_FILE_H

#include "csguest/symbol.h"
#include "text/out.h"

/* Writes those of a kernel's space.  How many there are, or a negative error; out keeps its own. */
int csg_kallsyms_write(struct csg_space *space, struct csg_out *out);

#endif
