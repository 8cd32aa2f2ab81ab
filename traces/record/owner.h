/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who ran, in the words of include/csguest/owner.h, from what the plugin saw.
 *
 * World and vCPU come from registers alone (raw_world(), VMPIDR_EL2). Threads are what the kernels
 * keep in CONTEXTIDR: CONTEXTIDR_EL2 for a VHE host, CONTEXTIDR_EL1 for a guest and for a host at
 * EL1, as the register holds it at that instruction. Their processes come from the sideband of the
 * machine, and so do their names, where these are asked for. A guest is named by the process of the
 * host thread that runs its vCPU; a domain of Xen, which knows no such thread, by its VMID.
 *
 * A guest that has guests (FEAT_NV2) runs with HCR_EL2.NV set, its own guests without it and with
 * other VMIDs. What CONTEXTIDR_EL1 held when the guest itself ran last on that vCPU is the thread
 * of the guest that the nested vCPU is, and names the nested guest: by that thread's process, or
 * where the guest has no operating system by itself.
 */
#ifndef RECORD_OWNER_H
#define RECORD_OWNER_H
#include <stdbool.h>
#include <stdint.h>

#include "raw.h"
#include "sideband.h"

#define MAX_GUESTS 8

struct owner {
	enum raw_world world;
	uint8_t el;
	bool user;
	int32_t vm, vcpu, pid, tid, host_tid; /* -1: unknown; vm 0: the host */
	int32_t level;		   /* 0 host, 1 guest, 2 guest of a guest; -1: not asked for */
	int32_t nested, guest_tid; /* of level 2: which, and its thread in the guest */
	const char *comm;	   /* of the thread; NULL: unknown, or not asked for */
	uint64_t now;		   /* perf time of the machine; not part of who it is */
};

/* A machine: the host, a guest by the PID of its VMM, or a guest of that guest. */
struct machine {
	int32_t vm;	/* 0: the host */
	int32_t nested; /* 0: it is no guest of a guest */
	const char *dir;
	bool hypervisor;  /* Xen in the host's place: nothing of it but what it executes */
	bool bare;	  /* a guest without an operating system: no sideband, one ELF file */
	uint64_t cntvoff; /* of a guest: CNTVOFF_EL2 while it runs */
	bool has_cntvoff, moved; /* moved: it was not the same all the time */
	struct sideband sb;
};

struct machines {
	struct machine machine[1 + MAX_GUESTS]; /* the host first */
	unsigned count;
	bool names; /* owners are distinguished by the names of threads as well */
	/* The host thread that ran last on a CPU: on an EL1 host, who a guest runs for. -1: none
	 * yet. */
	int32_t host_thread[RAW_MAX_CPUS];
	/* The threads of vCPUs, as seen in the whole recording: for guests that ran before it
	 * began. */
	struct {
		unsigned vmid, vcpu;
		int32_t thread;
	} vcpu[64];
	unsigned vcpus;
	/* The host's threads whose vCPU has a virtual EL2; the guest's thread that ran there
	 * last. */
	struct hypervisor_vcpu {
		int32_t thread, guest_tid;
		unsigned vcpu;
	} nesting[64];
	unsigned nestings;
	/* The guest's threads by vCPU and VMID, for those that ran before the recording began. -1:
	   several. */
	struct nested_vcpu {
		int32_t thread, guest_tid;
		unsigned vmid;
	} nested[64];
	unsigned nesteds;
};

/*
 * A machine's folder holds perf.data/data, perf.data/kcore_dir, root (its files), and, of a guest,
 * vm (the PID of its VMM in the host, or the domain's VMID); of a bare guest vm and elf alone.
 * That of a guest's guest holds nested as well, its number, and vm is the guest's. The host comes
 * first; in its place Xen, whose folder holds a file named hypervisor. 0, or -1 after a line on
 * stderr.
 */
int machines_add(struct machines *m, const char *dir);
void machines_fini(struct machines *m);

/* NULL: not known. */
struct machine *machine_of(struct machines *m, int32_t vm, int32_t nested);

/* To be reported of all blocks before owners are asked for: learns the threads of vCPUs. */
void machines_learn(struct machines *m, unsigned cpu, const uint64_t reg[RAW_REGS]);
/* Back to the beginning of the recording, with what was learned. */
void machines_rewind(struct machines *m);

/* Who executes with these registers on that CPU when the physical counter is so. */
struct owner owner_of(struct machines *m, unsigned cpu, const uint64_t reg[RAW_REGS],
		      uint64_t counter);

bool owner_equal(const struct owner *a, const struct owner *b);

/* "world=host privilege=kernel el=2 vm=0 …", as docs/truth.md says it. */
void owner_print(const struct owner *o, char *text, size_t size);

#endif
