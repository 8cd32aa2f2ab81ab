/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A scenario: who executes which code when, and what csguest must say of it.  README.md
 * explains the files; here is what one becomes when it is read.
 *
 *   parse     the file, with what it includes, to images, threads, acts and expectations
 *   thread    its threads and guests
 *   trait     what its trace unit is
 *   phrase    words that stand for several acts
 *   image     code by address, labels by name, ELF files
 *   play      acts to one executed path per CPU, switch records, counter offsets
 *   guess     paths that are cancelled
 *   deeds     acts that perf tells in records
 *   write     paths to trace, perf.data or snapshot
 *   sideband  the records beside the trace, of host and guests
 *   owners    what csguest says of every executed instruction, checked against the truth
 *   score     lines of owners, seen and expected
 *   stacks    whose functions ran, called by whom
 *   tools     what its commands print, checked against what the file expects
 *
 * A file that makes no sense ends the process with a message: file, line, what is wrong.
 */
#ifndef TESTS_SCENARIOS_SCENARIO_H
#define TESTS_SCENARIOS_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "csguest/attribution.h"
#include "encoder/bytes.h"
#include "encoder/model.h"
#include "encoder/path.h"
#include "encoder/perf_writer.h"
#include "encoder/program.h"
#include "session/open/guests.h"

#define SCN_IMAGES 16
#define SCN_LABELS 48
#define SCN_THREADS 24
#define SCN_CPUS 4
#define SCN_PASSES 4
#define SCN_ACTS 400
#define SCN_RECORDS 96
#define SCN_GUESTS 4
#define SCN_ERROR 400 /* characters of a message */
#define SCN_EXPECTS 8
#define SCN_WORDS 28 /* of one line */
#define SCN_SAVES 8
#define SCN_PHRASES 24
#define SCN_PHRASE_LINES 20

struct scn_line {
	const char *file;
	unsigned number;
	char *words[SCN_WORDS];
	unsigned count;
};

struct scn_image {
	const char *name;
	const char *path; /* as the recording names it; NULL: in no file */
	unsigned el;
	bool stripped; /* its file has no symbols */
	uint64_t base;
	struct csg_enc_bytes code;
	struct csg_enc_bytes original;	  /* as the file has it, where code was changed */
	const struct scn_image *alias_of; /* another address of that image's code */
	const char *alias_from;		  /* from that label on */
	struct {
		const char *name;
		uint64_t offset;
	} labels[SCN_LABELS];
	unsigned label_count;
};

enum scn_kind {
	SCN_HOST,
	SCN_GUEST,
	SCN_HYPERVISOR,
	SCN_FIRMWARE,
};

struct scn_thread {
	const char *name, *comm;
	enum scn_kind kind;
	int32_t vm; /* of a guest: the VMM's PID */
	int32_t vcpu;
	int32_t cpu; /* a guest's: the number that it gives this vCPU itself, usually the same */
	int32_t pid, tid;
	/* TID in the host's PID namespace, where records have another; 0: the same */
	uint32_t global;
	struct scn_image *images[4];
	unsigned image_count;
	struct scn_thread *on; /* a guest's vCPU thread in the host */
	uint32_t vmid;
	uint64_t cntvoff;
	uint32_t contextidr; /* guest's CONTEXTIDR_EL1, where it is not the TID */
	bool has_contextidr;
	uint8_t level; /* 2: a guest of a guest; 0: as its kind has it */
	int32_t vmm,
		in; /* of that: PID of its VMM and TID of its vCPU, in the guest that runs it */
	bool nested, aarch32, secure, unnamed;
	bool outside; /* of the PID namespace that perf runs in: records call it 0 */
	struct {
		uint64_t pc;
		unsigned el;
	} saves[SCN_SAVES]; /* where it was interrupted */
	unsigned save_count;
};

/* What perf records of a machine beside the trace, in the host or in a guest. */
enum scn_record_kind {
	SCN_SWITCH,    /* thread goes, other comes */
	SCN_FORK,      /* thread makes other */
	SCN_EXIT,      /* thread ends */
	SCN_EXEC,      /* thread is other from now on: the same TID, other code */
	SCN_MAP,       /* thread maps image */
	SCN_POKE,      /* the kernel changes a word of its code */
	SCN_KVM_ENTRY, /* samples of kvm:kvm_entry and kvm:kvm_exit */
	SCN_KVM_EXIT,
	SCN_WAKE, /* samples of sched:sched_waking and sched:sched_wakeup: thread wakes other */
	SCN_LOST, /* the kernel says that it lost records */
};

struct scn_record {
	enum scn_record_kind kind;
	uint64_t time;
	unsigned cpu;
	const struct scn_thread *thread, *other; /* the machine is that of thread */
	const struct scn_image *image;
	uint64_t address;
	uint32_t words[2]; /* POKE: before, after; KVM_EXIT: ret, esr_ec; WAKE: CPU */
	bool raw;	   /* KVM_*: the sample has what the tracepoint tells, address is vcpu_pc */
	bool preempted;	   /* SWITCH: thread could run on */
	bool lost;	   /* perf has no room for it: it happens, and is not recorded */
};

/* What --guest says. */
struct scn_guest {
	const char *name;
	int32_t vm;
	int32_t nested;	 /* of a guest of it: the PID of its VMM there */
	bool records;	 /* it has made a recording of its own */
	bool unsaid;	 /* which VM it is csguest must find out */
	bool injected;	 /* perf inject --guest-data has put that into the host's recording */
	bool has_offset; /* the user says its CNTVOFF_EL2 */
	int64_t offset;
	uint64_t id; /* then: of its first event */
};

struct scn_guess;

struct scn_cpu {
	unsigned number;
	bool used;
	struct csg_enc_program program;
	struct csg_enc_path passes[SCN_PASSES], scratch;
	uint64_t begin[SCN_PASSES], end[SCN_PASSES];
	unsigned pass; /* the current one */
	bool began;
	bool dark;  /* nothing is traced now */
	bool loses; /* no record is written now */
	uint64_t now;
	struct scn_thread *thread;
	struct scn_thread *first; /* where tracing began */
	uint64_t cntvoff;
	struct scn_guess *guess;       /* on a path that is cancelled */
	uint32_t contextidr_el1, vmid; /* as the registers hold them: a guest's are left after */
	struct scn *scn;
};

/* Words that stand for several acts; single capital letters are filled in. */
struct scn_phrase {
	struct scn_line pattern;
	struct scn_line lines[SCN_PHRASE_LINES];
	unsigned count;
};

/* A command and what it prints; without a command it is of the stacks. */
struct scn_expect {
	char *command;
	int status;
	char **lines;
	unsigned count;
	unsigned first, last; /* lines of the file, for --update */
};

struct scn {
	struct scn *next;
	const char *file;
	const char *pending; /* why, or NULL */
	bool snapshot, separate_sinks, raw, no_switches, no_comms, per_thread;
	int64_t ts_source;
	bool has_ts_source;
	uint64_t etm_flags;
	const char *options; /* for every command */
	const char *release; /* of the host's kernel; NULL: one without nested guests */
	int hypervisor;
	struct csg_enc_model model;
	struct scn_image images[SCN_IMAGES];
	unsigned image_count;
	struct scn_thread threads[SCN_THREADS];
	unsigned thread_count;
	struct {
		unsigned cpu;
		struct scn_line line;
	} acts[SCN_ACTS];
	unsigned act_count;
	struct scn_phrase phrases[SCN_PHRASES];
	unsigned phrase_count;
	struct scn_cpu cpus[SCN_CPUS];
	struct scn_record records[SCN_RECORDS];
	unsigned record_count;
	struct scn_guest guests[SCN_GUESTS];
	unsigned guest_count;
	struct csg_vcpu_entry vcpus[SCN_GUESTS]; /* what --vcpu says */
	unsigned vcpu_count;
	struct scn_expect expects[SCN_EXPECTS]; /* [0]: owners, [1]: goal, then others */
	const char *goal;			/* why it is not reached yet, or NULL */
	unsigned expect_count;
};

struct scn_guest_place {
	char root[600], vmlinux[700], perf[600]; /* "": there is none */
};

/* Where a recording of the scenario was written. */
struct scn_place {
	char directory[512];
	char recording[600], vmlinux[600], guest_vmlinux[600], symfs[600], guest_root[600];
	bool has_vmlinux, has_guest;
	struct scn_guest_place guests[SCN_GUESTS]; /* as scn.guests */
};

void scn_die(const struct scn_line *line, const char *format, ...)
	__attribute__((format(printf, 2, 3), noreturn));

/* parse.c */
struct scn *scn_read(const char *file);
struct scn_image *scn_image(struct scn *s, const struct scn_line *line, const char *name);
uint64_t scn_number(const struct scn_line *line, const char *word);

/* thread.c */
struct scn_thread *scn_thread(struct scn *s, const struct scn_line *line, const char *name);
void scn_thread_line(struct scn *s, const struct scn_line *l);
void scn_guest_line(struct scn *s, const struct scn_line *l);
void scn_vcpu_line(struct scn *s, const struct scn_line *l);

/* trait.c */
void scn_trace_line(struct scn *s, const struct scn_line *l);

/* phrase.c */
void scn_phrase_begin(struct scn *s, const struct scn_line *line);
void scn_phrase_line(struct scn *s, const struct scn_line *line);
/* An act of a CPU, or those of the phrase that it is. */
void scn_act(struct scn *s, unsigned cpu, const struct scn_line *line);

/* image.c: LABEL[+OFFSET] or IMAGE:LABEL[+OFFSET] among a thread's images. */
struct scn_image *scn_label(struct scn *s, const struct scn_line *line, struct scn_thread *thread,
			    const char *word, uint64_t *address);
/* Fills in the images that are others'. */
void scn_alias(struct scn *s);
/* The image a thread executes from at that level; NULL: there is no code. */
const struct scn_image *scn_image_at(const struct scn_thread *thread, unsigned el,
				     uint64_t address);
size_t scn_image_read(const struct scn_image *image, uint64_t address, void *data, size_t size);
/* Writes an ELF file with the labels as symbols. */
void scn_image_save(const struct scn_image *image, const char *path);

/* play.c */
void scn_play(struct scn *s);
/* The context registers as they are when a thread executes at a level. */
struct csg_enc_context scn_context(struct scn_cpu *cpu, struct scn_thread *t, unsigned el);
/* From now on that thread runs. */
void scn_be(struct scn_cpu *cpu, struct scn_thread *t);

/* guess.c */
void scn_guesses(struct scn_cpu *cpu, const struct scn_line *l, struct scn_thread *t);
void scn_was_wrong(struct scn_cpu *cpu, const struct scn_line *l, struct scn_thread *t);

/* deeds.c: does what the line says if its verb is one of those that perf records. */
bool scn_deed(struct scn_cpu *cpu, const struct scn_line *l, struct scn_thread *t);
/* records are-lost, and are-kept again: the CPU's buffer of the sideband is full in between */
void scn_records(struct scn_cpu *cpu, const struct scn_line *l);

/* write.c */
void scn_write(struct scn *s, const struct csg_enc_model *model, struct scn_place *place);
uint64_t scn_time(uint64_t counter);
/* A file's directories, as mkdir -p makes them. */
void scn_make_way(const char *file);
/* The model of one CPU's unit. */
struct csg_enc_model scn_unit(const struct scn *s, const struct csg_enc_model *model, unsigned cpu);

/* sideband.c */
struct scn_tape {
	const struct scn *scn;
	struct csg_enc_perf *perf;
	int32_t vm;    /* the machine: 0 the host */
	bool injected; /* a guest's records among the host's, in the host's time */
	uint64_t id;   /* of the dummy event on the first CPU, or vCPU */
	uint64_t kvm_ids[2], wake_ids[2];
};
/* All that perf synthesises and the kernel records of a machine. */
void scn_sideband(const struct scn_tape *tape);
/* Writes what a guest has recorded of itself. */
void scn_sideband_of_guest(const struct scn *s, const struct scn_guest *guest, const char *path);
/* Adds the event of a guest whose records are injected; returns its first ID, vCPU 0's. */
uint64_t scn_sideband_ids(const struct scn *s, const struct scn_guest *guest,
			  struct csg_enc_perf *p);
#define SCN_TIME_SHIFT 20
#define SCN_SIDEBAND_FLAGS                                                                         \
	(CSG_ENC_ATTR_INHERIT | CSG_ENC_ATTR_EXCLUDE_KERNEL | CSG_ENC_ATTR_EXCLUDE_HV |            \
	 CSG_ENC_ATTR_MMAP | CSG_ENC_ATTR_COMM | CSG_ENC_ATTR_TASK | CSG_ENC_ATTR_MMAP2 |          \
	 CSG_ENC_ATTR_COMM_EXEC | CSG_ENC_ATTR_TEXT_POKE)

/* What csguest made of the instructions that a thread executed at one privilege, best first. */
enum scn_grade {
	SCN_PROCESS, /* all is known, and right */
	SCN_VCPU,    /* world, VM and vCPU are */
	SCN_VM,
	SCN_WORLD,
	SCN_DEFAULT, /* the world is right, but rests on the policy's default */
	SCN_UNKNOWN,
	SCN_UNSEEN, /* a gap: no code, or trace that does not say it */
	SCN_WRONG_DEFAULT,
	SCN_WRONG,
	SCN_GRADES
};

struct scn_score {
	uint64_t counts[SCN_THREADS][2][SCN_GRADES]; /* by thread and user, kernel */
	uint64_t total[SCN_GRADES];
	uint64_t strange;	  /* seen instructions that were never executed */
	uint64_t strange_default; /* those whose owner rests on the policy's default */
	char text[600];		  /* about the first wrong or strange one */
	char refused[SCN_ERROR];  /* why csguest decodes nothing, or "" */
};

/* What a session is opened with, as long as it is open. */
struct scn_setup {
	struct csg_diag_sink sink;
	struct csg_guest_options guests[SCN_GUESTS];
	char error[SCN_ERROR];
};
/* owners.c: opens a recording with all that the scenario says of it; NULL: refused, setup->error
 * says why. */
struct csg_session *scn_open(const struct scn *s, const struct scn_place *place,
			     struct scn_setup *setup);
/* Decodes and scores. */
void scn_score(struct scn *s, const struct csg_enc_model *model, const struct scn_place *place,
	       struct scn_score *score);
/* score.c: the score as the lines of an `owners:` section. */
void scn_score_lines(const struct scn *s, const struct scn_score *score, char ***lines,
		     unsigned *count);

/*
 * Whether the score is at least what the lines say: this many instructions of a thread with that
 * grade or a better one, none that the lines do not speak of.  better: not just as they say.
 */
bool scn_score_meets(const struct scn *s, const struct scn_score *score,
		     const struct scn_expect *expect, bool *better);

/* stacks.c: the call stacks that ran. */
void scn_stacks(const struct scn *scn, const struct scn_place *place, char ***lines,
		unsigned *count);

/*
 * tools.c: writes the options that each command takes into the file "options" of the folder: a line
 * for --hypervisor, then a line with all others, as words of a shell; DIR is the folder.
 */
void scn_write_options(const struct scn *s, const struct scn_place *place);
/* The lines a command prints; returns its exit status. */
int scn_tool(const struct scn *s, const char *csguest, const struct scn_place *place,
	     const char *command, char ***lines, unsigned *count);
/* Prints how they differ; true when they are equal. */
bool scn_compare(const char *what, char **expected, unsigned expected_count, char **seen,
		 unsigned seen_count, bool silent);
void scn_lines_add(char ***lines, unsigned *count, const char *text);
void scn_lines_free(char **lines, unsigned count);

#endif
