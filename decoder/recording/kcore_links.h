/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernels that came with a recording (perf record --kcore): DIR/kcore_dir, the host's, and
 * DIR/kcore_dir__PID, those of guests by their VMM.  perf looks for them beside the file "data" of the
 * directory that it is given, so a recording made of another one gets links to the other's.
 */
#ifndef DECODER_RECORDING_KCORE_LINKS_H
#define DECODER_RECORDING_KCORE_LINKS_H

#include <stdbool.h>

/* Does dir hold any? */
bool csg_kcore_links_needed(const char *dir);

/*
 * Makes the directory path, which may not be there, with a symbolic link, by absolute path, to each
 * of from's.  0, or -CSG_E_IO or -CSG_E_NO_MEMORY with errno; nothing is left then.
 */
int csg_kcore_links_make(const char *path, const char *from);

/* Removes the links and, if nothing else is in it, the directory. */
void csg_kcore_links_remove(const char *path);

#endif
