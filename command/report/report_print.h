/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A report as text, CSV or JSON.  The keys are the columns, in their order; "Why unknown" is added
 * where a row has a reason.
 *
 *   text  header lines with '#', as perf report; what is cut is reported in a line with '#'
 *   CSV   RFC 4180 with line feeds; a header line, then rows only, which add up to the total
 *   JSON  one object: totals, rows, what was cut, gaps; unknown is null
 *
 * Rows may be cut, but are added up by their reason, those without one apart, and each sum is a row
 * (in JSON: of "cut").
 */
#ifndef COMMAND_REPORT_REPORT_PRINT_H
#define COMMAND_REPORT_REPORT_PRINT_H

#include "text/out.h"
#include "report/estimate.h"
#include "report/report.h"
#include "timeline/traced.h"

enum csg_report_format {
	CSG_REPORT_TEXT,
	CSG_REPORT_CSV,
	CSG_REPORT_JSON,
};

struct csg_report_print {
	struct csg_report_sort sort;
	enum csg_report_format format;
	bool by_branches;     /* order and percentages */
	bool samples;	      /* instructions are samples, each counted as one */
	double percent_limit; /* rows with less are cut */
	uint64_t max_lines;   /* rows after these many are cut; 0: no limit */
	/* Between the columns of text, which are not padded then; it is '.' in texts.  NULL:
	 * none. */
	const char *separator;
	const char *recording; /* for the header, as the user gave it */
	const char *hypervisor;
	const struct csg_traced *traced; /* NULL: not known, or not of all that is decoded */
	const struct csg_lookup *lookup; /* of its guests */
	const struct csg_estimate
		*estimate; /* of the whole, from windows; NULL: counts are as traced */
};

/* -CSG_E_NO_MEMORY; errors of output stay in out. */
int csg_report_write(struct csg_report *report, const struct csg_report_print *print,
		     struct csg_out *out);

#endif
