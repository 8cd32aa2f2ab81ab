/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A folder with the recordings of guests, as csguest collect's guests/ or --guests: each entry is a
 * guest of that name, a perf.data (NAME, NAME.data, NAME.perf.data), a directory of perf record
 * --kcore, or what csguest collect made in the guest.
 */
#ifndef DECODER_FILES_GUEST_FOLDER_H
#define DECODER_FILES_GUEST_FOLDER_H

#include "csguest/diag.h"
#include "files/guest_list.h"

/*
 * Adds the guests in dir to list, by name.  One that the list has already, without a recording,
 * gets what was not given: --guest NAME,pid=PID gives its VM.  What is no recording of a guest is
 * reported to sink, and left out.  0; -CSG_E_NOT_FOUND, -CSG_E_IO: the folder cannot be read,
 * reported; -CSG_E_NO_MEMORY.
 */
int csg_guest_folder_read(struct csg_guest_list *list, const char *dir,
			  const struct csg_diag_sink *sink);

#endif
