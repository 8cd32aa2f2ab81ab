/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is known of the windows of trace that a truth has (docs/truth.md, `window`), by how many
 * instructions they have and by whether they carry a timestamp.
 */
#ifndef TESTS_SCORE_WINDOW_CLASSES_H
#define TESTS_SCORE_WINDOW_CLASSES_H

#include "score/truth.h"

#define CSG_WINDOW_SIZES 5 /* from 0, 256, 1024, 4096 and 16384 instructions on */

/* Sums of the windows of a class; all but windows are instructions. */
struct csg_window_class {
	uint64_t windows, instructions, decoded;
	uint64_t no_world, no_vm, no_process; /* of those decoded: unknown */
};

/* All zero: none was added. */
struct csg_window_classes {
	struct csg_window_class classes[2][CSG_WINDOW_SIZES]; /* [1]: with a timestamp */
	struct csg_window_class open;			      /* the window being added */
	uint64_t window;				      /* its number */
	bool stamped;
};

/* The fewest instructions of a window of this class. */
uint64_t csg_window_classes_least(unsigned int size);

/* n instructions of a piece of the truth: decoded or not, and what is not known of them. */
struct csg_window_part {
	uint64_t n;
	bool decoded, no_world, no_vm, no_process;
};
void csg_window_classes_add(struct csg_window_classes *windows, const struct csg_truth_piece *piece,
			    const struct csg_window_part *part);

/* A stream is at its end. */
void csg_window_classes_end(struct csg_window_classes *windows);

#endif
