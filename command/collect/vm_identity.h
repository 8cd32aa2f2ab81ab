/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a VM is called, by its VMM: QEMU's options -name and -uuid; else the scope in which
 * libvirt's machine slice has it (machine-qemu\x2dN\x2dNAME.scope), or the pod of its cgroup, as
 * KubeVirt's.
 */
#ifndef COMMAND_COLLECT_VM_IDENTITY_H
#define COMMAND_COLLECT_VM_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CSG_VM_NAME 64
#define CSG_VM_UUID 37

/* "": not known. */
struct csg_vm_identity {
	int32_t pid; /* of the VMM */
	char name[CSG_VM_NAME], uuid[CSG_VM_UUID];
};

/* Fills name and uuid from a command line: strings, each with its end, size bytes in all. */
void csg_vm_identity_by_options(struct csg_vm_identity *vm, const char *line, size_t size);

/* Fills what is empty from a line of /proc/PID/cgroup. */
void csg_vm_identity_by_cgroup(struct csg_vm_identity *vm, const char *line);

/* Asks the procfs below root about the process vm->pid. */
void csg_vm_identity_find(struct csg_vm_identity *vm, const char *root);

/* Whether one of n is called anything. */
bool csg_vm_identity_any(const struct csg_vm_identity *vms, size_t n);

#endif
