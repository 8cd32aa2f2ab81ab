/* SPDX-License-Identifier: BSD-3-Clause */
/* The score as text and as JSON: docs/truth.md. */
#ifndef TESTS_SCORE_SCORE_PRINT_H
#define TESTS_SCORE_SCORE_PRINT_H

#include "text/out.h"
#include "score/score.h"
#include "score/untraced.h"

struct csg_score_print {
	const char *recording, *truth, *hypervisor;
	enum csg_perf_threads perf_threads;
	bool json;
	/* Instructions decoded where csguest reports a contradiction, and how many of these;
	 * has_contradicted is false where that is not known. */
	bool has_contradicted;
	uint64_t contradicted, contradictions;
	int nesting[2]; /* csg_session_nesting() before decoding and after it */
	const struct csg_untraced_score *untraced; /* NULL: not compared */
};

/* Writes all that score holds; its streams are at their end. */
void csg_score_write(const struct csg_score *score, const struct csg_score_print *print,
		     struct csg_out *out);

#endif
