/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts of executed instructions by their place in a function, and by who ran them.
 *
 * The report (report/report.h) gives each range that ran, added up, with its label.  A range has a
 * fixed number of instructions, each of which was executed as often as the range.  Ranges are split
 * at the borders of symbols; what does not lie in a wanted function is left out.
 *
 * A function is one of a VM's, of a guest of it, or the host's, since machines have equal names:
 * its instructions are those at an offset with their bytes at that time, so that patched code has
 * an instruction for each version.
 */
#ifndef COMMAND_ANNOTATE_ANNOTATE_H
#define COMMAND_ANNOTATE_ANNOTATE_H

#include "lookup/lookup.h"
#include "report/report.h"
#include "report/source_lines.h"
#include "text/text_set.h"
#include "util/keyset.h"

struct csg_annotate_function {
	int32_t vm;
	int32_t nested; /* level CSG_LEVEL_NESTED: the guest of that VM, or CSG_VM_UNKNOWN */
	uint8_t level;	/* CSG_LEVEL_NESTED, or CSG_LEVEL_UNKNOWN for all others */
	const char *dso, *symbol;
	uint64_t instructions;
};

/* One instruction of a function, as one label executed it.  Compared byte by byte. */
struct csg_annotate_place {
	uint32_t function, label;
	uint64_t offset; /* from the function's start */
	uint8_t bytes[4];
	uint8_t size; /* of bytes; 0: the code could not be read */
	uint8_t isa;  /* enum csg_isa */
	uint8_t reserved[6];
};

struct csg_annotate_count {
	uint64_t executions;
	uint64_t address; /* as the object's file has it */
	uint32_t line;	  /* csg_source_lines_text() */
};

struct csg_annotate {
	const struct csg_lookup *lookup;
	bool (*passes)(void *arg, const struct csg_symbol *symbol);
	void *passes_arg;
	struct csg_source_lines lines;
	struct csg_text_set names;
	struct csg_keyset function_keys, labels, places;
	struct csg_annotate_function *functions; /* by number of function_keys */
	struct csg_annotate_count *counts;	 /* by number of places */
	size_t function_capacity, count_capacity;
	bool has_nested; /* some function is of a guest of a guest */
};

/* passes(): whether a function is wanted.  What is given has to outlive it. */
void csg_annotate_init(struct csg_annotate *annotate, const struct csg_lookup *lookup,
		       bool (*passes)(void *arg, const struct csg_symbol *symbol),
		       void *passes_arg);
void csg_annotate_fini(struct csg_annotate *annotate);

/* For csg_report_watch(), with the struct csg_annotate.  0 or -CSG_E_NO_MEMORY. */
int csg_annotate_range(void *annotate, const struct csg_report_label *label,
		       const struct csg_report_range *range);

/*
 * Numbers of places, by function (most instructions first), offset, bytes and label; to be freed.
 * NULL: no memory.
 */
uint32_t *csg_annotate_sorted(const struct csg_annotate *annotate);

#endif
