/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The timeline as text, CSV or JSON, row by row while it is made.
 *
 *   text  a line for each row, "# " lines around them; then the sums, most time first
 *   CSV   RFC 4180 with line feeds: a header line, then rows only
 *   JSON  one object: unit, rows, totals; what is not known is null
 */
#ifndef COMMAND_TIMELINE_TIMELINE_PRINT_H
#define COMMAND_TIMELINE_TIMELINE_PRINT_H

#include "text/out.h"
#include "timeline/slices.h"
#include "timeline/timeline.h"
#include "timeline/timeline_vcpus.h"

enum csg_timeline_format {
	CSG_TIMELINE_TEXT,
	CSG_TIMELINE_CSV,
	CSG_TIMELINE_JSON,
};

struct csg_timeline_print {
	struct csg_out *out;
	enum csg_timeline_format format;
	enum csg_slices_unit unit;
	bool totals_only;      /* rows are not printed */
	const char *recording; /* as the user gave it */
	const char *hypervisor;
	const struct csg_stream_info *streams;
	const struct csg_timeline_vcpu *vcpus; /* NULL: nothing tells their states */
	size_t vcpu_count;
	const char *comma; /* JSON: what stands before the next row; begins with NULL */
};

void csg_timeline_print_begin(struct csg_timeline_print *print);
/* One row; arg is the print.  To be used as csg_timeline.row. */
void csg_timeline_print_row(void *print, const struct csg_timeline_row *row);
/* The sums of a finished timeline.  -CSG_E_NO_MEMORY. */
int csg_timeline_print_end(struct csg_timeline_print *print, const struct csg_timeline *timeline);

#endif
