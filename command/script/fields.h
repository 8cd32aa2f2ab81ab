/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * -F: which columns a listing has, in perf script's words and with its rules
 * (parse_output_fields() in tools/perf/builtin-script.c): a list replaces the default, "+x" and
 * "-x" change it, and both cannot be mixed.  Perf's default shows the target of a branch
 * ("=> addr") only as long as its fields are the default ones; -F takes it away unless it names
 * "addr".  "+flags" alone does not count.
 *
 * Fields of our own:
 *
 *	world    host, hypervisor, guest, firmware, unknown; FROM>TO where a branch goes elsewhere
 *	el       exception level, in the same way
 *	evidence  the evidence for the world
 *	hosttid  thread of the host that ran it: in a guest, the vCPU's
 *	level    0 the host, 1 a guest, 2 a guest of it, with its VM and the guest's thread that ran
 *		 it
 *
 * world and el are in the default; adding or removing one of our own leaves perf's as they are.
 */
#ifndef COMMAND_SCRIPT_FIELDS_H
#define COMMAND_SCRIPT_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* X(name, text, its own): perf's names first */
#define CSG_FIELDS(X)                                                                              \
	X(MACHINE_PID, "machine_pid", false)                                                       \
	X(VCPU, "vcpu", false)                                                                     \
	X(COMM, "comm", false)                                                                     \
	X(PID, "pid", false)                                                                       \
	X(TID, "tid", false)                                                                       \
	X(CPU, "cpu", false)                                                                       \
	X(TIME, "time", false)                                                                     \
	X(PERIOD, "period", false)                                                                 \
	X(EVENT, "event", false)                                                                   \
	X(FLAGS, "flags", false)                                                                   \
	X(CALLINDENT, "callindent", false)                                                         \
	X(ADDR, "addr", false)                                                                     \
	X(IP, "ip", false)                                                                         \
	X(SYM, "sym", false)                                                                       \
	X(SYMOFF, "symoff", false)                                                                 \
	X(DSO, "dso", false)                                                                       \
	X(SRCLINE, "srcline", false)                                                               \
	X(BRSTACK, "brstack", false)                                                               \
	X(BRSTACKSYM, "brstacksym", false)                                                         \
	X(INSN, "insn", false)                                                                     \
	X(INSNLEN, "insnlen", false)                                                               \
	X(DISASM, "disasm", false)                                                                 \
	X(WORLD, "world", true)                                                                    \
	X(EL, "el", true)                                                                          \
	X(EVIDENCE, "evidence", true)                                                              \
	X(HOSTTID, "hosttid", true)                                                                \
	X(LEVEL, "level", true)

enum csg_field {
#define CSG_FIELD_ENUM(name, text, own) CSG_FIELD_##name,
	CSG_FIELDS(CSG_FIELD_ENUM)
#undef CSG_FIELD_ENUM
		CSG_FIELD_COUNT
};

struct csg_fields {
	uint32_t set;	/* 1 << enum csg_field */
	uint32_t asked; /* those that were named, not taken from the default */
	bool chosen;	/* perf's fields are no longer the default ones ("user_set") */
};

static inline bool csg_fields_have(const struct csg_fields *fields, enum csg_field field)
{
	return fields->set & 1u << field;
}

void csg_fields_default(struct csg_fields *fields);

/*
 * Applies one -F to fields.  0, or -CSG_E_USAGE with one line in why.  Fields that perf knows and
 * a CoreSight sample does not have are refused by name.
 */
int csg_fields_parse(struct csg_fields *fields, const char *text, char *why, size_t why_size);

#endif
