/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A folder with the recordings of guests, as csguest collect's guests/ or --guests: each entry is a guest of
 * that name, a perf.data (NAME, NAME.data, NAME.perf.data), a directory of perf record --kcore, or what
 * csguest collect made in the guest.
 */
#ifndef DECODER_FILES_GUEST_FOLDER_H
#define DECODER_FILES_GUEST_FOLDER_H

#include "csguest/diag.h"

/* A guest: its name, and paths; NULL: it is not there. */
struct csg_guest_folder_entry {
	char *name, *perf, *kallsyms, *vmlinux, *root;
};

/*
 * Calls fn for each guest, by name, until it returns other than 0; the entry is gone afterwards.  What is no
 * recording of a guest is reported to sink, and left out.  0, what fn returned, -CSG_E_NO_MEMORY, or
 * -CSG_E_NOT_FOUND or -CSG_E_IO, reported: the folder cannot be read.
 */
int csg_guest_folder_each(const char *dir, const struct csg_diag_sink *sink,
			  int (*fn)(void *arg, const struct csg_guest_folder_entry *guest),
			  void *arg);

#endif
