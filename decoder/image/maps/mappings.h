/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The mappings of an address space at all times.
 *
 * PERF_RECORD_MMAP tells what was mapped, never what was unmapped: a new mapping hides the
 * parts of older ones that it lies over, from its time on.  A child begins with its
 * parent's mappings (PERF_RECORD_FORK), exec begins with none.
 *
 * The time of an instruction is that of the last timestamp before it, which may be older
 * than the mapping it runs in.  So where nothing is mapped at a time, what is mapped there
 * next counts, unless the whole space began anew in between.  It follows that only what
 * hides something makes a new version: what fills a gap can be put into the one there is.
 *
 * A version is a search tree that shares all nodes but those on its paths to the change
 * with the version before it, so history costs logarithmically per change, a fork nothing,
 * and every version stays searchable.
 */
#ifndef DECODER_IMAGE_MAPS_MAPPINGS_H
#define DECODER_IMAGE_MAPS_MAPPINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/arena.h"

struct csg_object;

/* One PERF_RECORD_MMAP; it lies from start to end - 1. */
struct csg_map {
	uint64_t start, end;
	uint64_t pgoff; /* what the object has at start, in the object's terms */
	struct csg_object *object;
	uint64_t since; /* generated text: when it was made, by nothing in a file */
};

/* What is left of a mapping under later ones. */
struct csg_map_part {
	uint64_t start, end;
	const struct csg_map *map;
};

struct csg_map_version {
	uint64_t time; /* from which on it is valid */
	bool fresh;    /* exec or fork: has nothing to do with the version before it */
	const struct csg_map_node *root;
};

struct csg_mappings {
	struct csg_arena *arena; /* nodes */
	struct csg_map_version *versions;
	size_t count, capacity;
	uint64_t changes; /* made so far; tells that a kept answer is old */
	uint64_t owner;	  /* mark of the nodes that only the last version has */
	uint64_t random;  /* of the tree's shape; must not be known to who wrote the file */
};

void csg_mappings_init(struct csg_mappings *m, struct csg_arena *arena, uint64_t seed);
void csg_mappings_fini(struct csg_mappings *m);

/*
 * Changes are made in time order; one with an earlier time than the last counts as made at
 * that time.  map must stay.
 */
int csg_mappings_add(struct csg_mappings *m, const struct csg_map *map, uint64_t time);
/* Takes what lies from start to end - 1 away. */
int csg_mappings_remove(struct csg_mappings *m, uint64_t start, uint64_t end, uint64_t time);
int csg_mappings_clear(struct csg_mappings *m, uint64_t time);
/* Begin anew with what parent, of the same arena, has at time. */
int csg_mappings_inherit(struct csg_mappings *m, struct csg_mappings *parent, uint64_t time);

/*
 * The part at addr at time, or soon after; false where nothing is mapped.  Its bounds leave out
 * what is mapped otherwise at time.  *until, unless NULL, gets a time up to which the answer is the
 * same (UINT64_MAX: for ever).
 */
bool csg_mappings_find(const struct csg_mappings *m, uint64_t addr, uint64_t time,
		       struct csg_map_part *part, uint64_t *until);

/*
 * The part at addr where it shows the same bytes of the same object in every version that has one;
 * its bounds hold in all versions, and leave out what a version without one maps beside addr.
 * False where nothing is mapped, where that changes, and where there are too many versions to say.
 */
bool csg_mappings_find_steady(const struct csg_mappings *m, uint64_t addr,
			      struct csg_map_part *part);

/* Whether a version may have something at addr. */
bool csg_mappings_ever(const struct csg_mappings *m, uint64_t addr);

/* Calls fn for every part of the last version in order of address, until it returns other than 0.
 */
typedef int (*csg_map_fn)(void *arg, const struct csg_map_part *part);
int csg_mappings_each(const struct csg_mappings *m, csg_map_fn fn, void *arg);

#endif
