/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The folder that csguest collect makes (csguest-collect(1), FILES), as a recording: what it holds
 * besides the trace takes the place of options that were not given.
 *
 *	perf.data	the recording; where a snapshot is, that of Xen's dom0
 *	snapshot/	an OpenCSD snapshot, recorded from outside
 *	kvm-list	as --kvm-list
 *	xen-list	as --xen-list
 *	xen-syms	as --vmlinux, beside a snapshot
 *	kallsyms	as --kallsyms
 *	vm-names	as --vm-names
 *	guests/		as --guests
 */
#ifndef DECODER_FILES_COLLECT_FOLDER_H
#define DECODER_FILES_COLLECT_FOLDER_H

#include "files/guest_list.h"

/* Paths; NULL: it has no such file. */
struct csg_folder {
	char *recording; /* NULL: it is no such folder */
	char *dom0;	 /* perf.data, where the recording is a snapshot */
	char *kvm_list, *xen_list, *xen_syms, *kallsyms, *vm_names, *guests;
};

/*
 * Looks into path.  All stays NULL where it is a file, a directory recording or a snapshot.  0, or
 * -CSG_E_NO_MEMORY; csg_folder_fini() is safe in either case.
 */
int csg_folder_look(struct csg_folder *folder, const char *path);

/*
 * The folder's files take the place of options that were not given: kvm_list, xen_list and the
 * hypervisor, vmlinux and kallsyms of the host's kernel, dom0's recording.  Strings are the
 * folder's. 0 or -CSG_E_NO_MEMORY.
 */
int csg_folder_complete(const struct csg_folder *folder, struct csg_session_options *options,
			struct csg_kernel_files *kernel, struct csg_guest_list *guests);

void csg_folder_fini(struct csg_folder *folder);

#endif
