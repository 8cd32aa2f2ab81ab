/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Times that the user chooses, in perf script's forms:
 *
 *	"A,B"		seconds of perf time, from A until before B, so that "A,B" and "B,C" share
 *			nothing; each may be missing ("A," from A on); several divided by blanks
 *	"10%/2"		parts of the traced span: the second tenth; "0%-10%", "50%"; several divided
 *	by
 *			commas; 0% and 100% are open, so that "0%-100%" is everything
 */
#ifndef COMMAND_TEXT_TIME_RANGES_H
#define COMMAND_TEXT_TIME_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct csg_time_range {
	uint64_t begin, end; /* ns; end excluded, UINT64_MAX: open */
};

struct csg_time_ranges {
	struct csg_time_range *ranges;
	size_t n; /* 0: all times */
};

/*
 * first and last are the perf times of the traced span, for parts of it; 0, 0: not known.  0,
 * -CSG_E_NO_MEMORY, or -CSG_E_USAGE where text is nothing of the kind.
 */
int csg_time_ranges_parse(struct csg_time_ranges *ranges, const char *text, uint64_t first,
			  uint64_t last);
void csg_time_ranges_fini(struct csg_time_ranges *ranges);

/* Whether a time (ns) is in one of them. */
bool csg_time_ranges_have(const struct csg_time_ranges *ranges, uint64_t time);

#endif
