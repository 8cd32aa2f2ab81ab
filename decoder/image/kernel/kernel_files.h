/* SPDX-License-Identifier: BSD-3-Clause */
/* Finding and checking the files of a machine's kernel (see kernel_state.h). */
#ifndef DECODER_IMAGE_KERNEL_KERNEL_FILES_H
#define DECODER_IMAGE_KERNEL_KERNEL_FILES_H

struct csg_machine;

/* The remedy where a file is not the kernel's. */
#define CSG_BRING_KERNEL "record with perf record --kcore, or give --vmlinux of the kernel that ran"
#define CSG_BRING_DUMP                                                                             \
	"give the file of the kernel that ran (--vmlinux, --guest), or a snapshot with its "       \
	"memory "                                                                                  \
	"([dumpN])"

/*
 * Looks for them and loads what there is, once; the reason why there is no code is kept in the
 * kernel's object.
 */
int csg_kernel_load(struct csg_machine *machine);

#endif
