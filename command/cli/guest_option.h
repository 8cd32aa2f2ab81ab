/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * --guest NAME,KEY=VALUE,...: a guest, as often as there are guests.
 *
 *	perf=FILE	its own recording
 *	pid=PID		of its VMM in the host
 *	vmid=N		of a domain of Xen, in its place
 *	maps=latest	the trace is younger than what was recorded in it
 *	domain=N	its number, by which Xen's list has the VMID; without either by NAME
 *	offset=TICKS	how far its counter lags the host's: CNTVOFF
 *	vmlinux=FILE, kallsyms=FILE, kcore=PATH, root=DIR	its files
 */
#ifndef COMMAND_CLI_GUEST_OPTION_H
#define COMMAND_CLI_GUEST_OPTION_H

#include "files/guest_list.h"

/* For CSG_OPTION_CALL(): data is the list.  0, or a negative error that was reported. */
int csg_guest_option(void *data, const char *arg);

#endif
