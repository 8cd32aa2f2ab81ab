/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The report: instructions and taken branches, added up by what the user wants to tell
 * apart (world, exception level, VM, process, object, symbol ...).
 *
 * Four steps, from often to seldom:
 *   code    a RANGE element whose code has a number is counted under that (report/code_counts.h)
 *   range   a code, and a range without a number, under its place and addresses (report/tally.h)
 *   place   a label (what the keys tell apart of an owner) with the space of its code; found once
 *           per owner and batch
 *   row     label, object and symbol; found once per distinct range, when it is folded
 *
 * A range that runs across several symbols is split at their borders, instruction by
 * instruction, so that every instruction is counted for the symbol it lies in; its branch
 * belongs to the symbol of its last instruction.  Names and mappings are those of the time at
 * which the range ran.  Nothing is left out: what has no owner, object or symbol has its own rows,
 * with the reason.
 *
 * Branches are those that were taken, calls, returns and ERETs among them; exceptions are not.
 */
#ifndef COMMAND_REPORT_REPORT_H
#define COMMAND_REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/element.h"
#include "csguest/session.h"
#include "lookup/lookup.h"

/* What rows can be told apart by.  X(name, JSON and --by name, title, what it is) */
#define CSG_REPORT_KEYS(X)                                                                         \
	X(WORLD, "world", "World", "host, hypervisor, guest, firmware or unknown")                 \
	X(EL, "el", "EL", "exception level")                                                       \
	X(VM, "vm", "VM", "machine_pid of the guest")                                              \
	X(GUEST, "guest", "Guest", "name of the guest")                                            \
	X(VCPU, "vcpu", "vCPU", "vCPU of the guest")                                               \
	X(PID, "pid", "PID", "process in its machine")                                             \
	X(TID, "tid", "TID", "thread in its machine")                                              \
	X(PROCESS, "process", "Process", "name of the process: of its first thread")               \
	X(COMM, "comm", "Command", "name of the thread")                                           \
	X(DSO, "dso", "Object", "file or kernel the code is of")                                   \
	X(SYMBOL, "symbol", "Symbol", "function")                                                  \
	X(CPU, "cpu", "CPU", "CPU it ran on")                                                      \
	X(WITNESS, "witness", "Witness", "evidence for the owner")                                 \
	X(REASON, "reason", "Why unknown", "why the owner or a part of it is unknown")

enum csg_report_key {
#define CSG_REPORT_KEY_ENUM(name, id, title, text) CSG_REPORT_##name,
	CSG_REPORT_KEYS(CSG_REPORT_KEY_ENUM)
#undef CSG_REPORT_KEY_ENUM
		CSG_REPORT_KEY_COUNT
};

/* A key that no word asks for, in csg_report_sort.set: owners are told apart by their numbers. */
#define CSG_REPORT_OWNER (1u << 31)

/* The keys that ask what lies at an address. */
#define CSG_REPORT_CODE_KEYS (1u << CSG_REPORT_DSO | 1u << CSG_REPORT_SYMBOL)

#define CSG_REPORT_DEFAULT_SORT "world,el,vm,comm,dso,symbol"

const char *csg_report_key_name(enum csg_report_key key);
const char *csg_report_key_title(enum csg_report_key key);

/* All words that --by takes, NULL after the last. */
const char *const *csg_report_key_words(void);

/* Keys in the order of their columns. */
struct csg_report_sort {
	uint8_t keys[CSG_REPORT_KEY_COUNT]; /* enum csg_report_key */
	size_t n;
	uint32_t set;  /* 1 << key, of all of them */
	bool added_vm; /* by csg_report_sort_name_machine() */
};

/*
 * Reads "world,el,symbol".  "process" stands for the name of the process and pid, "thread" for comm
 * and tid, "sym" for symbol; "overhead" is perf's and no key.  On failure -CSG_E_USAGE, and *bad
 * points to the name that is no key or comes twice ("" for an empty list).
 */
int csg_report_sort_parse(struct csg_report_sort *sort, const char *text, const char **bad);

/*
 * Processes, threads and vCPUs of different machines have equal names and numbers: where keys ask
 * for them and none names the machine, adds CSG_REPORT_VM before the first of them.
 */
void csg_report_sort_name_machine(struct csg_report_sort *sort);

/*
 * An owner as far as the keys tell it apart; everything else is 0.  The reason is in it, asked for
 * or not, where one of the keys is unknown.
 * No padding: it is compared byte by byte.
 */
struct csg_report_label {
	int32_t vm, vcpu, pid, tid, cpu;
	uint32_t witness, owner;
	char guest[32];		    /* as the user named it, else "VM 42"; "": none */
	char process[16], comm[16]; /* as the kernel cuts them; "": none */
	uint8_t world, el, reason, reserved;
};

struct csg_report_row {
	struct csg_report_label label;
	const char *dso, *symbol; /* NULL: none, or not a key */
	bool no_path;		  /* between Q elements: executed, the path is not known */
	uint64_t instructions, branches;
};

struct csg_report_totals {
	uint64_t instructions, branches, ranges, exceptions;
	uint64_t gaps[CSG_GAP_COUNT];
};

struct csg_report;

/* lookup is copied and must outlive the report.  -CSG_E_NO_MEMORY. */
int csg_report_create(struct csg_report **report, const struct csg_report_sort *sort,
		      const struct csg_lookup *lookup);
void csg_report_destroy(struct csg_report *report);

/*
 * Counts only the code for which passes() holds; its arg is the caller's.  Called before anything is
 * added.
 */
void csg_report_choose_code(struct csg_report *report,
			    bool (*passes)(void *arg, const struct csg_symbol *symbol), void *arg);

/* Adds a batch of a stream that belongs to cpu (CSG_NO_CPU: not known). */
int csg_report_add(struct csg_report *report, const struct csg_batch *batch, int32_t cpu);

/* Settles everything added so far.  To be called before the rows are read; more may be added. */
int csg_report_finish(struct csg_report *report);

/*
 * No two of them read the same.  Sorted by instructions (or branches), most first; valid until
 * the next call with report.
 */
const struct csg_report_row *csg_report_rows(struct csg_report *report, bool by_branches,
					     size_t *n);
/* As of the last csg_report_finish(). */
const struct csg_report_totals *csg_report_totals(const struct csg_report *report);

#endif
