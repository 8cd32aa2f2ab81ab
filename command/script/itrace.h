/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * --itrace: what is to be made of the trace, in perf's words (perf-script(1), "itrace";
 * itrace_do_parse_synth_opts() in tools/perf/util/auxtrace.c), as far as it has a meaning for
 * CoreSight:
 *
 *	i[PERIOD]  instructions, one sample every PERIOD of them
 *	b          branches that were taken, and where tracing began and ended
 *	c, r       branches, only calls or only returns (both: either)
 *	l[SIZE]    with instructions: the branches that led there, at most SIZE
 *	g          with instructions: their call chains; perf's size is taken and not needed
 *	L[SIZE]    samples of events that hold trace, with the branches that led there
 *	G          the same, with their call chains
 *	w          instrumentation packets of ETE (perf: ptwrites, which are Intel's)
 *	e[-o][-l]  errors: losses of trace; without overflows, without lost data
 *	sN         skips the first N samples
 *	Z          without times, even where the trace has timestamps
 *	T          the trace's timestamps are kernel time, though the driver does not say so
 *
 * PERIOD is a number and "i".  perf takes other units, too, and counts instructions all the same
 * (cs_etm__synth_events() reads the number only); here they are refused.
 */
#ifndef COMMAND_SCRIPT_ITRACE_H
#define COMMAND_SCRIPT_ITRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/element.h"

#define CSG_ITRACE_PERIOD 100000 /* perf's PERF_ITRACE_DEFAULT_PERIOD */
#define CSG_ITRACE_LAST_BRANCHES 64
#define CSG_ITRACE_LAST_BRANCHES_MAX 1024

struct csg_itrace {
	bool instructions, branches, errors, last_branch;
	bool sample_branches, sample_chains; /* L, G: of the recording's own samples */
	bool instrumentation;	      /* w */
	bool callchain;		      /* g: samples of instructions with their call chains */
	bool calls, returns;	      /* of the branches only these */
	bool no_overflows, no_losses; /* of the errors not these */
	bool timeless, kernel_time;   /* Z, T */
	uint64_t period;	      /* instructions between two samples, at least 1 */
	uint32_t last_branches;	      /* how many of them a sample has at most */
	uint64_t skip;
};

/*
 * Reads text; "" is the default, "b".  0, or -CSG_E_USAGE with one line in why that says what is
 * wrong with it.
 */
int csg_itrace_parse(struct csg_itrace *itrace, const char *text, char *why, size_t why_size);

/* Does e, with its flags, ask for an error sample of this gap? */
bool csg_itrace_wants_gap(const struct csg_itrace *itrace, enum csg_gap gap);

/* Data was lost in the recording: what comes after such a gap is another piece of trace. */
bool csg_itrace_is_break(enum csg_gap gap);

#endif
