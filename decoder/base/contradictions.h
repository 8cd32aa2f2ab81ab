/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The contradictions of a recording (csguest/contradiction.h).  Whoever finds one adds it here.
 */
#ifndef DECODER_BASE_CONTRADICTIONS_H
#define DECODER_BASE_CONTRADICTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/contradiction.h"
#include "util/pack.h"

/* Those that are kept; more are only counted. */
#define CSG_CONTRADICTIONS_MAX 4096

/* All zero is an empty list. */
struct csg_contradictions {
	struct csg_contradiction *list; /* sorted by kind, vm, cpu, place */
	size_t count, capacity;
	uint64_t dropped;
};

void csg_contradictions_fini(struct csg_contradictions *contradictions);

/*
 * Adds a copy of one.  One of the same kind, vm, cpu and place (begin; in sideband record_time and
 * begin_time) is replaced, but for a time that is known already: a survey of the trace may have
 * found it before.  0 or -CSG_E_NO_MEMORY.
 */
int csg_contradictions_add(struct csg_contradictions *contradictions,
			   const struct csg_contradiction *one);

/*
 * That of a record, of the same kind, vm, cpu and record_time, gets the times of this one.  There
 * may be none: more were found than are kept.
 */
void csg_contradictions_narrow(struct csg_contradictions *contradictions,
			       const struct csg_contradiction *one);

/* How many were added, those that were not kept included. */
uint64_t csg_contradictions_total(const struct csg_contradictions *contradictions);

/* Writes how many there are, and each. */
void csg_contradictions_pack(const struct csg_contradictions *contradictions,
			     struct csg_pack *pack);

/* How many follow; and the next one.  False: it is none. */
size_t csg_contradictions_unpack_count(struct csg_unpack *unpack);
bool csg_contradiction_unpack(struct csg_unpack *unpack, struct csg_contradiction *one);

#endif
