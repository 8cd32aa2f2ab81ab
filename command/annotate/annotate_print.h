/* SPDX-License-Identifier: BSD-3-Clause */
/* Annotated functions as text, or as CSV with a line for each instruction and owner. */
#ifndef COMMAND_ANNOTATE_ANNOTATE_PRINT_H
#define COMMAND_ANNOTATE_ANNOTATE_PRINT_H

#include "annotate/annotate.h"
#include "report/report_sort.h"
#include "text/disasm.h"
#include "text/out.h"

#define CSG_ANNOTATE_COLUMNS 8 /* owners with a column of their own in text; the others share one */

struct csg_annotate_print {
	struct csg_report_sort sort; /* keys of an owner, then of code */
	struct csg_disasm *disasm;   /* NULL: bytes are printed */
	bool csv;
};

/* 0 or -CSG_E_NO_MEMORY. */
int csg_annotate_write(struct csg_annotate *annotate, const struct csg_annotate_print *print,
		       struct csg_out *out);

#endif
