/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * --guests DIR: the recordings of many guests in one folder, each as --guest NAME,perf=... would name it.
 * An entry NAME is a recording (a file, or a directory of perf record --kcore), named with or without
 * ".data"; or what csguest collect made in the guest, with perf.data in it, beside which kallsyms,
 * vmlinux and root are the guest's.  Which VM a guest is in is found from what it recorded.
 */
#ifndef COMMAND_CLI_GUEST_FOLDER_H
#define COMMAND_CLI_GUEST_FOLDER_H

#include "cli/guest_option.h"
#include "csguest/diag.h"

/*
 * Adds the guests in dir to list.  One that --guest names already only gets what was not said of it, so
 * that --guest NAME,pid=PID tells its VM.  0; -CSG_E_NOT_FOUND, -CSG_E_IO, reported; -CSG_E_NO_MEMORY.
 */
int csg_guest_folder_read(struct csg_guest_list *list, const char *dir,
			  const struct csg_diag_sink *sink);

#endif
