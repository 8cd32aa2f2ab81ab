/* SPDX-License-Identifier: BSD-3-Clause */
/* The keys of a report: what its rows are grouped by, and what each row says of an owner. */
#ifndef COMMAND_REPORT_REPORT_SORT_H
#define COMMAND_REPORT_REPORT_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Keys that rows can be grouped by.  X(name, JSON and --by name, title, what it is) */
#define CSG_REPORT_KEYS(X)                                                                         \
	X(WORLD, "world", "World", "host, hypervisor, guest, firmware or unknown")                 \
	X(EL, "el", "EL", "exception level")                                                       \
	X(VM, "vm", "VM", "machine_pid of the guest")                                              \
	X(GUEST, "guest", "Guest", "name of the guest")                                            \
	X(VCPU, "vcpu", "vCPU", "vCPU of the guest")                                               \
	X(LEVEL, "level", "Level", "0 the host, 1 a guest, 2 a guest of it")                       \
	X(NESTED, "nested", "Nested", "guest of the guest: the PID of its VMM there")              \
	X(GUEST_TID, "guest_tid", "Guest TID", "thread of the guest that ran a guest of it")       \
	X(PID, "pid", "PID", "process in its machine")                                             \
	X(TID, "tid", "TID", "thread in its machine")                                              \
	X(PROCESS, "process", "Process", "name of the process: of its first thread")               \
	X(COMM, "comm", "Command", "name of the thread")                                           \
	X(DSO, "dso", "Object", "file or kernel the code is of")                                   \
	X(SYMBOL, "symbol", "Symbol", "function")                                                  \
	X(SRCLINE, "srcline", "Source line", "file and line, by debug information")                \
	X(CPU, "cpu", "CPU", "CPU it ran on")                                                      \
	X(EVIDENCE, "evidence", "Evidence", "what the owner rests on")                             \
	X(REASON, "reason", "Why unknown", "why the owner or a part of it is unknown")

enum csg_report_key {
#define CSG_REPORT_KEY_ENUM(name, id, title, text) CSG_REPORT_##name,
	CSG_REPORT_KEYS(CSG_REPORT_KEY_ENUM)
#undef CSG_REPORT_KEY_ENUM
		CSG_REPORT_KEY_COUNT
};

/* A key that no word asks for, in csg_report_sort.set: grouped by the number of the owner. */
#define CSG_REPORT_OWNER (1u << 31)

/* The keys that ask what lies at an address. */
#define CSG_REPORT_CODE_KEYS                                                                       \
	(1u << CSG_REPORT_DSO | 1u << CSG_REPORT_SYMBOL | 1u << CSG_REPORT_SRCLINE)

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
 * and tid, "sym" for symbol, "witness" (0.1) for evidence; "overhead" is perf's and no key.  On
 * failure -CSG_E_USAGE, and *bad points to the name that is no key or comes twice ("" for an empty
 * list).
 */
int csg_report_sort_parse(struct csg_report_sort *sort, const char *text, const char **bad);

/*
 * Processes, threads and vCPUs of different machines have equal names and numbers: where keys ask
 * for them and none names the machine, adds CSG_REPORT_VM before the first of them.
 */
void csg_report_sort_name_machine(struct csg_report_sort *sort);

#define CSG_REPORT_NO_GUEST_TID (-2) /* of what is no guest of a guest */

/*
 * An owner as far as the keys distinguish it; everything else is 0.  The reason is in it, asked for
 * or not, where one of the keys is unknown.
 * No padding: it is compared byte by byte.
 */
struct csg_report_label {
	int32_t vm, vcpu, pid, tid, cpu, nested;
	int32_t guest_tid; /* or CSG_REPORT_NO_GUEST_TID, which is not unknown */
	uint32_t evidence, owner;
	char guest[32];		    /* as the user named it, else "VM 42"; "": none */
	char process[16], comm[16]; /* as the kernel cuts them; "": none */
	uint8_t world, el, reason, level;
};

#endif
