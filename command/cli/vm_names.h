/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * --vm-names FILE: what VMs are called, a line for each: the PID of the VMM, the name and the UUID,
 * "-" where it has none, divided by spaces or tabs, as csguest collect writes vm-names.  Lines that
 * begin with "#" do not count.
 */
#ifndef COMMAND_CLI_VM_NAMES_H
#define COMMAND_CLI_VM_NAMES_H

#include "cli/guest_option.h"
#include "csguest/diag.h"

struct csg_vm_name {
	int32_t pid;
	const char *name, *uuid; /* NULL: none; point into text */
	char *text;
};

struct csg_vm_names {
	struct csg_vm_name *names;
	size_t count, capacity;
};

/* 0; -CSG_E_NOT_FOUND, -CSG_E_IO, -CSG_E_CORRUPT, reported; -CSG_E_NO_MEMORY. */
int csg_vm_names_read(struct csg_vm_names *names, const char *path,
		      const struct csg_diag_sink *sink);
void csg_vm_names_fini(struct csg_vm_names *names);

/* Whether the VM has this UUID, in capitals or not. */
bool csg_vm_names_is(const struct csg_vm_names *names, int32_t vm, const char *uuid, size_t length);

/*
 * Names the VMs of a list of guests that --guest and --guests left without: a guest of this name
 * gets the PID, a VM that is not in the list its name alone.  -CSG_E_NO_MEMORY.
 */
int csg_vm_names_give(const struct csg_vm_names *names, struct csg_guest_list *guests);

#endif
