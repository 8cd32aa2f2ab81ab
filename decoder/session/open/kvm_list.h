/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * KVM's own list of vCPUs: what
 *
 *	grep . /sys/kernel/debug/kvm/[0-9]*-[0-9]*'/vcpu'*'/pid'
 *
 * printed on the host while the VMs ran: a line for each vCPU, PATH:TID, with
 * .../PID-FD/vcpuN/pid as its path: the PID of the VMM, the descriptor of the VM, the number of
 * the vCPU (virt/kvm/kvm_main.c, kvm_create_vcpu_debugfs()).  Other lines do not count.
 */
#ifndef DECODER_SESSION_OPEN_KVM_LIST_H
#define DECODER_SESSION_OPEN_KVM_LIST_H

#include "csguest/attribution.h"
#include "csguest/diag.h"

/* What a line says: false where it names no vCPU. */
bool csg_kvm_list_line(const char *line, struct csg_vcpu_entry *entry);

/* States the vCPUs of a file; 0 or a negative error that was reported, also where it holds none. */
int csg_kvm_list_load(struct csg_attribution *attribution, const char *path,
		      const struct csg_diag_sink *sink);

#endif
