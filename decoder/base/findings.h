/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Findings: how often what attribution assumes (csguest/assumption.h) was confirmed, and how often
 * contradicted, with the first place of each.
 *
 * Whoever decides something by an assumption and has a second source for it reports what that says,
 * through struct csg_finder; what is found goes to one struct csg_findings per recording.
 */
#ifndef DECODER_BASE_FINDINGS_H
#define DECODER_BASE_FINDINGS_H

#include <stdbool.h>

#include "csguest/assumption.h"

struct csg_findings {
	struct csg_assumption_info of[CSG_ASSUMPTION_COUNT];
};

/* Counts n; n 0: nothing.  The place that is to be filled in, if it is the first; else NULL. */
struct csg_assumption_place *csg_findings_add(struct csg_findings *findings,
					      enum csg_assumption assumption, bool confirmed,
					      uint64_t n);

/* Where to report what was found at an index of a stream, n times.  NULL: nobody asks. */
struct csg_finder {
	void (*found)(void *arg, enum csg_assumption assumption, bool confirmed, uint64_t index,
		      uint64_t n);
	void *arg;
};

static inline void csg_found(const struct csg_finder *finder, enum csg_assumption assumption,
			     bool confirmed, uint64_t index)
{
	if (finder && finder->found)
		finder->found(finder->arg, assumption, confirmed, index, 1);
}

#endif
