/* SPDX-License-Identifier: BSD-3-Clause */
/* The contradictions of a recording (csguest/contradiction.h) as text, for the summary of a command. */
#ifndef COMMAND_INFO_CONTRADICTIONS_H
#define COMMAND_INFO_CONTRADICTIONS_H

#include "csguest/contradiction.h"
#include "text/out.h"

/*
 * Prints how many there are, total, and the first of the n in the list, a line each with "csguest: "
 * in front; nothing where there is none.
 */
void csg_contradictions_print(const struct csg_contradiction *list, size_t n, uint64_t total,
			      struct csg_out *out);

#endif
