/* SPDX-License-Identifier: BSD-3-Clause */
/* Exits of guests as text, CSV or JSON, the reason that took most time first. */
#ifndef COMMAND_CALLS_EXITS_PRINT_H
#define COMMAND_CALLS_EXITS_PRINT_H

#include "calls/exits.h"
#include "text/out.h"
#include "timeline/traced.h"

enum csg_exits_format {
	CSG_EXITS_TEXT,
	CSG_EXITS_CSV,
	CSG_EXITS_JSON,
};

struct csg_exits_print {
	enum csg_exits_format format;
	const char *recording, *hypervisor;
	const struct csg_traced *traced; /* NULL: not known, or not of all that is decoded */
	/* Writes what follows the rows, in text, or in JSON as a member, ",\"key\":...".  NULL:
	 * nothing. */
	void (*more)(void *arg, bool json, struct csg_out *out);
	void *arg;
};

/* -CSG_E_NO_MEMORY. */
int csg_exits_write(const struct csg_exits *exits, const struct csg_exits_print *print,
		    struct csg_out *out);

#endif
