/* SPDX-License-Identifier: BSD-3-Clause */
/* What every view calls a VM. */
#ifndef COMMAND_TEXT_VM_NAME_H
#define COMMAND_TEXT_VM_NAME_H

#include <stddef.h>

#include "csguest/owner.h"

#define CSG_VM_NAME_SIZE 96 /* bytes for csg_vm_name(); a longer name of a guest is cut */

/*
 * "web (VM 136)" where the guest in the VM has the name web; "VM 136" where it has none (NULL); "VM
 * unknown" where no VM is known.  Returns buf.
 */
const char *csg_vm_name(const char *guest, int32_t vm, char buf[CSG_VM_NAME_SIZE]);

#endif
