/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Untraced time by its owner, against who ran then (docs/truth.md, "Untraced time").
 *
 * The truth of the whole execution, of which the recording has parts, says when each run began, and
 * how many instructions it has.  An instruction takes 1 ns, as the emulator counts; what is left of
 * a run's time until the next one begins is slack: the CPU stood still, nobody knows at which of
 * its instructions.  So what is said of another owner within a run is wrong only where it is longer
 * than its slack and CSG_UNTRACED_NEAR at each end.
 */
#ifndef TESTS_SCORE_UNTRACED_H
#define TESTS_SCORE_UNTRACED_H

#include "score/truth.h"
#include "timeline/slice.h"

#define CSG_UNTRACED_NEAR 5000 /* ns */

/* Times in ns. */
struct csg_untraced_tally {
	uint64_t all;	 /* of the runs */
	uint64_t traced; /* of it; the rest is not */
	uint64_t vm_right, vm_unknown, vm_wrong;
	uint64_t right, unknown, wrong; /* the world, and the VM with it */
	uint64_t near;			/* another owner, but within the slack */
	/* Of what is dated as traced, by its own slices, what is another's: within the slack, and
	 * beyond. */
	uint64_t still, misplaced;
};

struct csg_untraced_run {
	uint64_t time, count;
	uint32_t owner;
};

/* Runs of a CPU, and the one that is compared. */
struct csg_untraced_cpu {
	int32_t cpu;
	struct csg_untraced_run *runs;
	size_t count, capacity, run;
	uint64_t seen, traced, vm_right, right, unknown, vm_unknown, other, vm_other, elsewhere;
};

struct csg_untraced_score {
	const struct csg_truth *truth;
	struct csg_untraced_cpu *cpus;
	size_t count, capacity;
	struct csg_untraced_tally guest, host;
	/* The longest time that is wrong, where and whose. */
	uint64_t worst, worst_time;
	int32_t worst_cpu;
	uint32_t worst_owner;
};

/* All zero before.  Reads the truth, which outlives it.  -CSG_E_NO_MEMORY, or as
 * csg_truth_next(). */
int csg_untraced_score_init(struct csg_untraced_score *score, struct csg_truth *truth);
void csg_untraced_score_fini(struct csg_untraced_score *score);

/* The next slice of a CPU, in ns, and its owner; NULL: it is nobody's. */
void csg_untraced_score_add(struct csg_untraced_score *score, int32_t cpu,
			    const struct csg_slice *slice, const struct csg_owner *owner);

/* All slices were given. */
void csg_untraced_score_end(struct csg_untraced_score *score);

#endif
