/* SPDX-License-Identifier: BSD-3-Clause */
#include "text/colour.h"

/* perf's PERF_COLOR_RED and PERF_COLOR_GREEN, with its MIN_RED and MIN_GREEN. */
static const char *colour_of(double percent)
{
	return percent >= 5 ? "\033[31m" : percent >= 0.5 ? "\033[32m" : NULL;
}

/* What the terminal does not show is in no column. */
static void escape(struct csg_out *out, const char *sequence)
{
	const size_t line = out->line;

	csg_out_str(out, sequence);
	out->line = line;
}

void csg_colour_percent(struct csg_out *out, double percent, int width)
{
	const char *colour = out->colours ? colour_of(percent) : NULL;

	if (colour)
		escape(out, colour);
	csg_out_printf(out, "%*.2f%%", width - 1, percent);
	if (colour)
		escape(out, "\033[m");
}
