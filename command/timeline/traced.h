/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How much of the CPUs' time is traced, and who had the rest, by slices (timeline/slice.h).
 */
#ifndef COMMAND_TIMELINE_TRACED_H
#define COMMAND_TIMELINE_TRACED_H

#include "lookup/lookup.h"
#include "text/out.h"
#include "timeline/slice.h"

/* Time without trace of one owner, as far as world and VM tell; ns. */
struct csg_traced_part {
	uint64_t time;
	int32_t vm; /* CSG_VM_UNKNOWN: none, or not known which */
	uint8_t world;
};

/* All zero: no slice yet. */
struct csg_traced {
	struct csg_traced_part *parts;
	size_t count, capacity;
	uint64_t all, traced; /* ns */
	/*
	 * Windows have too few timestamps to tell when they begin and end: the share of the time
	 * that they are estimated to be; 0: not even that is known.
	 */
	bool estimated;
	double share;
};

void csg_traced_fini(struct csg_traced *traced);

/* A slice, in ns, and its owner; NULL: nobody's.  -CSG_E_NO_MEMORY. */
int csg_traced_add(struct csg_traced *traced, const struct csg_slice *slice,
		   const struct csg_owner *owner);

/* The sums of others, of other CPUs.  -CSG_E_NO_MEMORY. */
int csg_traced_join(struct csg_traced *traced, const struct csg_traced *other);

/* All slices are in: most time first. */
void csg_traced_finish(struct csg_traced *traced);

/* Whether so much is not traced that it is worth a line: 0.05 percent. */
bool csg_traced_has_holes(const struct csg_traced *traced);

/* Lines that begin with '#', if there are holes; guests have the lookup's names. */
void csg_traced_text(const struct csg_traced *traced, const struct csg_lookup *lookup,
		     struct csg_out *out);

/* An object: time, traced (null: not known), and untraced, a list. */
void csg_traced_json(const struct csg_traced *traced, struct csg_out *out);

#endif
