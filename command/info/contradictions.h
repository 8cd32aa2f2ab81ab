/* SPDX-License-Identifier: BSD-3-Clause */
/* The contradictions of a recording (base/contradictions.h) as text, for the summary of a command. */
#ifndef COMMAND_INFO_CONTRADICTIONS_H
#define COMMAND_INFO_CONTRADICTIONS_H

#include "base/contradictions.h"
#include "text/out.h"

/*
 * Prints how many there are and the first of them, a line each with "csguest: " in front; nothing
 * where there is none.
 */
void csg_contradictions_print(const struct csg_contradictions *contradictions, struct csg_out *out);

#endif
