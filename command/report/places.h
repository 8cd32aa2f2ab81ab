/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Places: for each owner a label (what a report's keys tell apart of it) and the space its code
 * lies in.  Owners that differ in nothing the user asked for share a place, so a report by
 * world and symbol counts a process's threads in the same entries.
 *
 * A place is found once per owner and name of its thread, since names change, and again after each
 * change of the CPU, which may be part of the label; in between a lookup is two array accesses.
 * There may be tens of thousands of streams and of owners: no array has an element for each pair.
 */
#ifndef COMMAND_REPORT_PLACES_H
#define COMMAND_REPORT_PLACES_H

#include "util/keyset.h"
#include "lookup/lookup.h"
#include "report/report_sort.h"

/* The owners on one CPU at one time. */
struct csg_places_now {
	struct csg_place_of {
		uint32_t generation; /* when it was looked up; 0: never */
		uint32_t place;
		uint64_t first, last; /* time: when it is that one */
	} * of;			      /* by owner number */
	size_t n;
	uint64_t time;	     /* ns; UINT64_MAX: not known */
	uint32_t generation; /* grows with each change of the CPU */
	int32_t cpu;
};

struct csg_places {
	uint32_t keys; /* csg_report_sort.set */
	const struct csg_lookup *lookup;
	struct csg_keyset labels, places;
	struct csg_places_now now;
};

void csg_places_init(struct csg_places *places, uint32_t keys, const struct csg_lookup *lookup);
void csg_places_fini(struct csg_places *places);

/* From now on it is time (0: not known), on cpu. */
void csg_places_set(struct csg_places *places, uint64_t time, int32_t cpu);

/* The place of owner then, or -CSG_E_NO_MEMORY. */
int64_t csg_places_find(struct csg_places *places, uint32_t owner);

/* Number of a place's label, and the label with a number. */
uint32_t csg_places_label_number(const struct csg_places *places, uint32_t place);
const struct csg_report_label *csg_places_label(const struct csg_places *places, uint32_t label);

/* The space of the place's code; NULL: nobody's, or no key asks for code. */
struct csg_space *csg_places_space(const struct csg_places *places, uint32_t place);

#endif
