/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A large host that is made up: its code, who runs on it when, and the recording of that with its
 * truth (tests/tools/scale.c).  All of it is one program's, so what is made lives as long as that.
 */
#ifndef TESTS_SCALE_SCALE_H
#define TESTS_SCALE_SCALE_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "encoder/etm.h"
#include "encoder/perf_writer.h"
#include "encoder/program.h"
#include "encoder/random.h"

#define TIME_ZERO UINT64_C(40000000000) /* host perf time at counter 0; 1 GHz */
#define GUEST_ZERO UINT64_C(900000000)	/* the guests' */
#define SLICE 20000			/* ns of a time slice, about */
#define WORDS 4096
#define LABELS 24

enum { MOST_CPUS = 128, FILES = 16 };

struct scale_options {
	uint64_t cpus, kb, vms, vcpus, processes, guests, guest_processes, before, bytes, piece,
		lives, no_ids, execs, guest_execs, moves, seed;
};

/* Code: functions of random blocks, linked by labels. */
struct image {
	const char *path; /* as the recording names it */
	uint64_t base;
	unsigned el, count;
	uint32_t words[WORDS];
	struct label {
		const char *name;
		unsigned at; /* word */
	} labels[LABELS];
	unsigned label_count;
};

/* A thread of the host; a vCPU has a VM. */
struct thread {
	int32_t pid, tid;
	struct vm *vm;
	unsigned vcpu, program;
	unsigned *guest_programs; /* of each process of the guest of a vCPU */
	unsigned process;	  /* of the guest: the one that runs */
	bool ends, has_ended;	  /* with its time slice */
	bool is_begun, in_user;	  /* its guest: it was left in user code, else in the kernel */
	uint64_t pc, left;	  /* where it goes on; when it was switched away from */
	uint32_t kernel, user;	  /* owners, numbers in the truth */
};

struct vm {
	int32_t pid;
	uint64_t cntvoff;
	unsigned vcpu_count;
	uint64_t id;
	struct csg_enc_perf *perf; /* its own recording, or NULL */
	uint32_t **owners;	   /* of each vCPU: kernel and user of each process */
};

struct cpu {
	uint32_t number;
	struct thread **threads;
	size_t count;
	struct thread *now;
	uint64_t counter, ends;
	struct csg_enc_bytes sent; /* of the pieces before the one that etm makes */
	uint64_t flushed;
	struct csg_enc_etm etm;
	struct csg_enc_program program;
	struct csg_enc_path path;
	struct csg_enc_context context;
	const struct image *kernel, *user; /* code that runs */
	bool stays;			   /* answers the kernel's next question */
	/* The truth, and the run that is open. */
	FILE *truth;
	bool is_open;
	uint32_t owner;
	uint64_t run, at, offset, time, instructions;
};

/* Where the code's questions are, and where it is left. */
struct places {
	uint64_t switched, is_vcpu, goes_on, runs_on, guest_switched, guest_stays, guest_return,
		loop, middle;
};

extern struct scale_options opt;
extern struct csg_enc_random dice;
extern struct image host_kernel, guest_kernel, programs[FILES];
extern struct places at;
extern struct cpu cpus[MOST_CPUS];
extern struct vm *vms;
extern struct csg_enc_perf perf;
extern uint64_t etm_id, side_id; /* first IDs of the two events of perf */
extern FILE *owners;		 /* of the truth */

/* Ends the program. */
void die(const char *what) __attribute__((noreturn));
/* Zero-filled memory, and a text, that live as long as the program. */
void *get(size_t n, size_t size);
char *text(const char *form, const char *word, int32_t number)
	__attribute__((format(printf, 1, 0)));

/* Whether what is to happen percent times of 100 does; 0 asks no dice, as hosts without it do. */
bool happens(uint64_t percent);

/* code.c */
void make_code(void);
uint64_t address(const struct image *m, const char *name);
void save_elf(const struct image *m, const char *path);

/* people.c: threads and VMs, and what perf records of them. */
struct thread *new_thread(struct vm *vm, int32_t pid, int32_t tid);
int32_t guest_pid(const struct thread *t, unsigned process);
uint64_t now(const struct cpu *c);
struct csg_enc_perf_sample sample(const struct cpu *c, const struct thread *t);
void put_map(struct csg_enc_perf *p, uint32_t pid, const struct image *m,
	     const struct csg_enc_perf_sample *when);
void put_thread(const struct thread *t, const struct csg_enc_perf_sample *when);
/* The switch from the thread that runs to the next one: its records, before and after. */
void switch_out(struct cpu *c, const struct thread *next);
void switch_in(struct cpu *c, struct thread *next);
/* The process of the host, or that of the guest, becomes another program. */
void exec(struct cpu *c, struct thread *t);
void exec_guest(struct cpu *c, struct thread *t);
/* The same of the process that runs in the guest of the vCPU. */
void switch_guest_out(struct cpu *c, const struct thread *t);
void switch_guest_in(struct cpu *c, struct thread *t);

/* path.c: what a CPU executes, its trace and its truth. */
void begin_cpu(struct cpu *c, uint32_t number, const struct csg_enc_model *model);
/* A time slice of a thread: from where it was switched to until the next one has come. */
void run_slice(struct cpu *c, struct thread *t, struct thread *next);
void close_run(struct cpu *c);

/* slices.c: who runs when. */
void simulate(const struct csg_enc_model *models);

/* files.c */
void begin_recordings(const struct csg_enc_model *models);
void save(const char *dir, const struct csg_enc_model *models);

#endif
