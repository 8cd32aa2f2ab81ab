/* SPDX-License-Identifier: BSD-3-Clause */
/* Shares in perf report's colours, where csg_out.colours says so: 5 % and more red, half a percent
 * green. */
#ifndef COMMAND_TEXT_COLOUR_H
#define COMMAND_TEXT_COLOUR_H

#include "text/out.h"

/* As "%*.2f%%", width with the sign. */
void csg_colour_percent(struct csg_out *out, double percent, int width);

#endif
