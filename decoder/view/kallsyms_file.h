/* SPDX-License-Identifier: BSD-3-Clause */
/* A kernel's symbols, wherever they came from, as the /proc/kallsyms that perf reads. */
#ifndef DECODER_VIEW_KALLSYMS_FILE_H
#define DECODER_VIEW_KALLSYMS_FILE_H

#include "image/image.h"
#include "view/out.h"

/* Writes those of a kernel's space.  How many there are, or a negative error; out keeps its own. */
int csg_kallsyms_write(struct csg_space *space, struct csg_out *out);

#endif
