/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernels that came with a recording (perf record --kcore): DIR/kcore_dir, the host's, and
 * DIR/kcore_dir__PID, those of guests by their VMM.  perf looks for them beside the file "data" of
 * the directory that it is given, so a recording made of another one gets links to the other's.
 */
#ifndef COMMAND_INJECT_KCORE_LINKS_H
#define COMMAND_INJECT_KCORE_LINKS_H

#include <stdbool.h>

/* Does dir hold any? */
bool csg_kcore_links_needed(const char *dir);

/*
 * Makes a symbolic link in the directory path, by absolute path, to each of from's.  0, or
 * -CSG_E_IO or -CSG_E_NO_MEMORY with errno.
 */
int csg_kcore_links_make(const char *path, const char *from);

#endif
