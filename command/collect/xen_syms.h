/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * xen-syms, the ELF file that Xen was linked to, with its symbols: what is booted has none.
 * Distributions place it in /boot, or in /usr/lib/debug with a package of its own.  Its build ID is
 * that of the Xen which runs (/sys/hypervisor/properties/buildid), or it is another's.
 */
#ifndef COMMAND_COLLECT_XEN_SYMS_H
#define COMMAND_COLLECT_XEN_SYMS_H

#include "util/build_id.h"

enum csg_xen_syms_is {
	CSG_XEN_SYMS_NONE,
	CSG_XEN_SYMS_SAME,	/* build IDs are equal */
	CSG_XEN_SYMS_OTHER,	/* they differ, or the file has none */
	CSG_XEN_SYMS_UNCHECKED, /* what runs does not tell its own */
};

struct csg_xen_syms {
	char path[512]; /* below the root, "/boot/xen-syms-4.17" */
	enum csg_xen_syms_is is;
};

/*
 * Looks for it below root ("": this machine).  running is what runs; of size 0: not known.  version
 * as "4.17", or "": where build IDs do not tell, a file that is named so goes first.
 */
void csg_xen_syms_find(struct csg_xen_syms *found, const char *root, const char *version,
		       const struct csg_build_id *running);

#endif
