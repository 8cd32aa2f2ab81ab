/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The recorded machine: its code, who can run on it, and two CPUs that walk through the
 * code with a small part of A64 executed (counters and flags in registers), so that loops
 * end and the script can steer.
 */
#ifndef TRACES_VHE_ONE_GUEST_MACHINE_H
#define TRACES_VHE_ONE_GUEST_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "encoder/path.h"
#include "encoder/program.h"
#include "image.h"

enum image_name {
	HOST,
	VMM,
	SSHD,
	GUEST,
	APP,
	IMAGES,
};

enum who {
	VCPU_THREAD, /* 4103, "CPU 0/KVM": the host's side of the vCPU */
	MAIN_THREAD, /* 4100, the VMM's main loop */
	SSHD_THREAD, /* 712 */
	GUEST_IDLE,  /* the guest's swapper */
	GUEST_APP,   /* the guest's process 1201, user and kernel */
	OWNERS,
};

struct owner {
	bool guest;
	uint32_t vm;
	int vcpu;
	uint32_t pid, tid;
	uint32_t host_tid;
	const char *comm;
};

#define CPUS 2
#define PASSES 4 /* AUX buffers per CPU, at most */

/* When this happened, for the sideband. */
struct switched {
	uint64_t time;
	unsigned cpu;
	enum who from, to;
};

struct cpu {
	unsigned number;
	struct csg_enc_program p;
	struct csg_enc_path passes[PASSES];
	uint64_t pass_start[PASSES], pass_end[PASSES]; /* in counter ticks */
	unsigned pass;
	uint64_t now; /* CNTPCT */
	uint64_t stamped;
	bool loaded; /* a vCPU's CNTVOFF is in the register */
	uint64_t regs[OWNERS][32];
	uint64_t saved[OWNERS][8][20]; /* x0..x19 of interrupted code */
	unsigned saves[OWNERS];
	struct csg_enc_path scratch;
};

struct machine {
	struct image images[IMAGES];
	struct cpu cpus[CPUS];
	uint64_t load_isb, put_isb; /* from there CNTVOFF is the guest's, or 0 again */
	struct switched switches[256];
	unsigned switch_count;
	uint64_t guest_pc; /* where the vCPU goes on */
	enum who guest_task;
	bool guest_user;
};

extern const struct owner owners[OWNERS];

/* CNTVOFF_EL2 of the guest: it was created 87.5 s after the host's boot. */
#define GUEST_CNTVOFF UINT64_C(87500000000)

void machine_init(struct machine *m);
uint64_t symbol(struct machine *m, enum image_name image, const char *name);
/* Whose code is at an address, by who runs and at which level. */
const struct image *mapped(const struct machine *m, enum who who, unsigned el);
/* The context of somebody at an exception level. */
struct csg_enc_context context_of(enum who who, unsigned el);
/* Trace begins on this CPU, or begins again in a new buffer; not in the middle of a run. */
void trace_begin(struct cpu *cpu, enum who who, unsigned el, uint64_t pc);
void trace_cut(struct cpu *cpu);
/* Walks until there; ends the process where the code leads elsewhere. */
void walk(struct cpu *cpu, uint64_t until, enum csg_enc_stop stop);
/* Marks the time as the trace shows it. */
void stamp(struct cpu *cpu);

/* What the script is made of: script.c. */
void play(struct machine *m);

/*
 * The same guest for long: this many turns of its workload, each taking this many ticks, while the
 * other CPU runs the VMM's main loop and sshd.  full(): a CPU's buffer is, and its path is to be
 * taken away.
 */
void play_long(struct machine *m, unsigned turns, uint64_t ticks,
	       void (*full)(void *arg, struct cpu *cpu), void *arg);

#endif
