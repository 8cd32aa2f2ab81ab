/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a machine offers to who wants to record on it: read from sysfs, procfs and the kernel's
 * configuration below a root, "" for this machine or a folder that holds another's (or a test's)
 * sys, proc, dev and boot.
 */
#ifndef COMMAND_COLLECT_PROBE_H
#define COMMAND_COLLECT_PROBE_H

#include "collect/vm_identity.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CSG_PROBE_TEXT 96
#define CSG_PROBE_VCPUS 4096

/* A yes that may not be known. */
enum csg_probe_answer {
	CSG_PROBE_UNKNOWN,
	CSG_PROBE_NO,
	CSG_PROBE_YES,
};

/* A vCPU as KVM's debugfs has it, kvm/PID-FD/vcpuN/pid, or its thread shows
 * (files/kvm_threads.h). */
struct csg_probe_vcpu {
	int32_t vm, fd, vcpu, tid;
};

/* Where KVM enters and leaves guests of guests. */
#define CSG_PROBE_NESTED_EVENTS "kvm:kvm_nested_eret,kvm:kvm_inject_nested_exception"

struct csg_probe {
	char arch[CSG_PROBE_TEXT];    /* "aarch64"; "": not known */
	char release[CSG_PROBE_TEXT]; /* of the kernel */
	bool root_user;

	bool pmu;		   /* event source cs_etm */
	unsigned int trace_units;  /* its cpuN */
	unsigned int sinks;	   /* its sinks/ */
	bool has_contextid;	   /* format contextid: for the EL that the kernel runs at */
	bool has_contextid1_and_2; /* formats of both */
	bool autofdo;		   /* the configuration that strobes */
	uint8_t trf;		   /* answer: FEAT_TRF, by the trace units' ts_source */
	uint8_t trace_firmware;	   /* answer: device tree or ACPI describe an ETM or ETE */
	uint8_t trace_driver;	   /* answer: CONFIG_CORESIGHT_SOURCE_ETM4X, also as a module */
	uint8_t pid_in_contextidr; /* answer: CONFIG_PID_IN_CONTEXTIDR */
	bool paranoid_known;
	int paranoid; /* kernel.perf_event_paranoid */
	int kptr_restrict;
	bool pid_namespace; /* perf would run in another PID namespace than the first */
	bool kcore;	    /* /proc/kcore can be read */

	bool kvm;		       /* /dev/kvm */
	char kvm_mode[CSG_PROBE_TEXT]; /* of kvm-arm.mode= on the command line; "": default */
	uint8_t debugfs;	       /* answer: kernel/debug/kvm can be listed */
	bool wake_events;	       /* tracefs has sched:sched_waking */
	uint8_t kvm_events;	       /* answer: tracefs has kvm:kvm_entry */
	bool nested_events;	       /* kvm_mode is nested, tracefs has kvm:kvm_nested_eret */
	unsigned int vms;	       /* that it lists */
	unsigned int vcpus_unseen;     /* vCPUs whose thread did not show */
	bool vcpus_by_threads;	       /* some did not come from debugfs */
	struct csg_probe_vcpu *vcpus;
	size_t vcpu_count, vcpu_capacity;
	struct csg_vm_identity *named; /* of the VMs that debugfs lists, by PID once each */
	size_t named_count, named_capacity;
	bool xen;	  /* /sys/hypervisor/type says so; what follows is known of it alone */
	uint8_t xen_dom0; /* answer: this is its control domain */
	bool xen_privcmd; /* by which its tools ask it */
	bool xenstored;	  /* its socket is there, which another domain's has not */
	char xen_release[CSG_PROBE_TEXT]; /* "4.17"; "": not known */
	char xen_version[CSG_PROBE_TEXT]; /* "4.17.7" */
	uint8_t xen_build_id[32];
	uint8_t xen_build_id_size; /* 0: not known */
	bool in_guest;		   /* the device tree or DMI tells of a hypervisor below */
};

/* 0, or -CSG_E_NO_MEMORY; what cannot be read is not known. */
int csg_probe_machine(struct csg_probe *probe, const char *root);
void csg_probe_fini(struct csg_probe *probe);

#endif
