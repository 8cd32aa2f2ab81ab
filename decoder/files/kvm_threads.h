/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which thread of a VMM runs which vCPU, where KVM's debugfs does not say it: that has vcpuN/pid on
 * some architectures only (__KVM_HAVE_ARCH_VCPU_DEBUGFS), and arm64 is none of them in Linux 6.12.
 *
 * A thread that sleeps in KVM_RUN, as its guest is idle, shows the system call with its arguments
 * in /proc/PID/task/TID/syscall; the first is the descriptor of the vCPU, of which /proc/PID/fd
 * says "anon_inode:kvm-vcpu:N".  Of a thread that is on a CPU the kernel says "running" alone, so
 * each is asked several times.  It takes root, as both files do.
 */
#ifndef DECODER_FILES_KVM_THREADS_H
#define DECODER_FILES_KVM_THREADS_H

#include <stdint.h>

struct csg_kvm_threads {
	unsigned int vms;   /* descriptors of VMs that the process has */
	unsigned int vcpus; /* and of vCPUs */
	unsigned int found; /* of these: those whose thread is known */
};

/*
 * Calls fn for each thread of process pid that is seen in KVM_RUN, once for each vCPU, until it
 * returns other than 0; returns that, or 0.  Nothing is said of a process with several VMs: whose a
 * vCPU is does not show.  root: as in collect/probe.h.
 */
typedef int (*csg_kvm_thread_fn)(void *arg, int vcpu, int32_t tid);
int csg_kvm_threads_find(const char *root, int32_t pid, struct csg_kvm_threads *threads,
			 csg_kvm_thread_fn fn, void *arg);

#endif
