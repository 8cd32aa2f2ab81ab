/* SPDX-License-Identifier: BSD-3-Clause */
/* Finding and checking the files of a machine's kernel (see kernel.h). */
#ifndef DECODER_IMAGE_KERNEL_FILES_H
#define DECODER_IMAGE_KERNEL_FILES_H

struct csg_machine;

/*
 * Looks for them and loads what there is, once; the reason why there is no code is kept in the
 * kernel's object.
 */
int csg_kernel_load(struct csg_machine *machine);

#endif
