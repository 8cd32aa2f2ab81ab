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
 * A range that runs across several symbols, or source lines, is split at their borders, instruction
 * by instruction, so that every instruction is counted for the symbol it lies in; its branch
 * belongs to the symbol of its last instruction.  Names and mappings are those of the time at which
 * the range ran.  Nothing is left out: what has no owner, object or symbol has its own rows, with
 * the reason.
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
#include "report/shares.h"
#include "report/row_order.h"

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
 * Counts only the code for which passes() holds; its arg is the caller's.  Called before anything
 * is added.
 */
void csg_report_choose_code(struct csg_report *report,
			    bool (*passes)(void *arg, const struct csg_symbol *symbol), void *arg);

/*
 * Sums up by window (report/shares.h) what shares are estimated of: instructions, or branches.
 * Called before anything is added.
 */
void csg_report_choose_windows(struct csg_report *report, bool branches);

/* What was added since the last call is a window's. */
int csg_report_end_window(struct csg_report *report);

/* A range of code that was executed, added up for a label: once or several times. */
struct csg_report_range {
	struct csg_space *space;   /* NULL: nobody's */
	uint64_t start, end, time; /* time: ns, at which its code lay there */
	uint64_t instructions;
	uint8_t isa; /* enum csg_isa */
};

/*
 * Gives all ranges to range() as they are settled, whatever the report's keys; 0, or an error,
 * which ends that.  Called before anything is added; an object or symbol is a key.
 */
void csg_report_watch(struct csg_report *report,
		      int (*range)(void *arg, const struct csg_report_label *label,
				   const struct csg_report_range *range),
		      void *arg);

/* Adds a batch of a stream that belongs to cpu (CSG_NO_CPU: not known). */
int csg_report_add(struct csg_report *report, const struct csg_batch *batch, int32_t cpu);

/*
 * Adds rows and totals of another report with the same keys, whose texts live as long as this one.
 * -CSG_E_NO_MEMORY.
 */
int csg_report_add_row(struct csg_report *report, const struct csg_report_row *row);
void csg_report_add_totals(struct csg_report *report, const struct csg_report_totals *totals);

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

/* Of all windows, its fraction not known. */
const struct csg_shares_all *csg_report_shares(const struct csg_report *report);

#endif
