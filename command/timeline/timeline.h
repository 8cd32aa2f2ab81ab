/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The timeline: what ran on each CPU, over time, as rows.  Slices (timeline/slice.h) that follow
 * each other and differ in nothing the user wants to tell apart become one row; what was lost has
 * rows of its own.  Beside the rows goes a sum for each owner.
 */
#ifndef COMMAND_TIMELINE_TIMELINE_H
#define COMMAND_TIMELINE_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>

#include "csguest/element.h"
#include "util/keyset.h"
#include "lookup/lookup.h"
#include "timeline/slice.h"

/* How finely owners are distinguished.  X(name, word, what it is) */
#define CSG_TIMELINE_LEVELS(X)                                                                     \
	X(WORLD, "world")                                                                          \
	X(VM, "vm")                                                                                \
	X(VCPU, "vcpu")                                                                            \
	X(PROCESS, "process")                                                                      \
	X(THREAD, "thread")                                                                        \
	X(OWNER, "owner") /* everything, exception level and sources of evidence included */

enum csg_timeline_level {
#define CSG_TIMELINE_LEVEL_ENUM(name, word) CSG_TIMELINE_##name,
	CSG_TIMELINE_LEVELS(CSG_TIMELINE_LEVEL_ENUM)
#undef CSG_TIMELINE_LEVEL_ENUM
};

/*
 * Who, as far as the level tells; compared byte by byte (names of guests by address).  What is not
 * distinguished is as unknown.
 */
struct csg_timeline_who {
	struct csg_owner owner;
	const char *guest; /* name of the guest, where it has one */
	char comm[16];	   /* of the thread, or at level process the process; "": none */
	bool lost;	   /* there is no trace of it */
	bool named;	   /* but records say who it was */
	uint8_t gap;	   /* lost: enum csg_gap */
	uint8_t reserved[1];
};

struct csg_timeline_row {
	struct csg_timeline_who who;
	uint64_t begin, end, index, instructions, missing, instrumented;
	uint64_t slices; /* how many became this row */
	uint32_t stream;
	int16_t left; /* how its last slice was left: CSG_LEFT_*, or a number of an exception */
};

/* Sums of all rows of one who. */
struct csg_timeline_total {
	uint64_t time, rows, instructions, missing, longest;
};

struct csg_timeline {
	const struct csg_lookup *lookup;
	enum csg_timeline_level level;
	bool dated; /* slices are in perf time: names are those of the time */
	struct csg_timeline_row open;
	bool is_open;
	struct csg_keyset whos;
	struct csg_timeline_total *totals; /* by number in whos */
	size_t total_capacity;
	void (*row)(void *arg, const struct csg_timeline_row *row);
	void *arg;
};

void csg_timeline_init(struct csg_timeline *timeline, enum csg_timeline_level level,
		       const struct csg_lookup *lookup);
void csg_timeline_fini(struct csg_timeline *timeline);

/* Adds a slice; those of a stream in order.  -CSG_E_NO_MEMORY. */
int csg_timeline_add(struct csg_timeline *timeline, const struct csg_slice *slice);

/* Adds the sums of somebody in another part of the recording.  -CSG_E_NO_MEMORY. */
int csg_timeline_join(struct csg_timeline *timeline, const struct csg_timeline_who *who,
		      const struct csg_timeline_total *part);

/* The last row is complete. */
int csg_timeline_finish(struct csg_timeline *timeline);

#endif
