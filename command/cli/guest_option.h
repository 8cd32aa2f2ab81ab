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

#include "csguest/session.h"

struct csg_guest_list {
	const char *command; /* for messages */
	struct csg_guest_files *guests;
	size_t count, capacity;
	char **texts; /* what their strings point into */
	size_t text_count, text_capacity;
};

/* For CSG_OPTION_CALL(): data is the list.  0, or a negative error that was reported. */
int csg_guest_option(void *data, const char *arg);

/* The list takes text, which is freed with it, or at once where memory is out.  -CSG_E_NO_MEMORY. */
int csg_guest_list_keep(struct csg_guest_list *list, char *text);

/*
 * The guest of this name, which has to live as long as the list; a new one where there is none.  It
 * stays where it is until the next is added.  -CSG_E_NO_MEMORY.
 */
int csg_guest_list_named(struct csg_guest_list *list, const char *name,
			 struct csg_guest_files **guest);

/* A new guest of this name.  -CSG_E_NO_MEMORY. */
int csg_guest_list_add(struct csg_guest_list *list, const char *name,
		       struct csg_guest_files **guest);

void csg_guest_list_fini(struct csg_guest_list *list);

#endif
