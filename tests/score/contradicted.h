/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which of the instructions decoded lie where csguest itself reports that sources contradict each
 * other (csguest/contradiction.h): in the interval of a contradiction, or with an owner that is
 * unknown for one.
 *
 * How far a contradiction reaches is known when all is decoded, so this is asked of a second decode
 * of the same recording.
 */
#ifndef TESTS_SCORE_CONTRADICTED_H
#define TESTS_SCORE_CONTRADICTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/contradiction.h"
#include "csguest/element.h"
#include "csguest/owner.h"

struct csg_contradicted {
	const struct csg_contradiction *list;
	size_t n;
	uint64_t instructions; /* that lie so */
};

/* An element of the trace of a CPU; time: host perf time of its batch, ns, 0: not known. */
void csg_contradicted_add(struct csg_contradicted *contradicted, int32_t cpu, uint64_t time,
			  const struct csg_element *element, const struct csg_owner *owner);

#endif
