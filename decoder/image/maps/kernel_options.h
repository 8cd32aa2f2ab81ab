/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DECODER_IMAGE_MAPS_KERNEL_OPTIONS_H
#define DECODER_IMAGE_MAPS_KERNEL_OPTIONS_H

/* Where a machine's kernel is; every string may be NULL.  Copied. */
struct csg_kernel_options {
	const char *vmlinux;
	const char *kcore; /* file, or a kcore_dir with kcore, kallsyms and modules */
	const char *kallsyms;
	const char *root; /* guest's root file system (--guestmount DIR/PID) for user files */
};

#endif
