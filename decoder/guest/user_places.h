/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where packets say that user code ran: the first address of each visit to EL0, and where an
 * exception left it.  Without VHE and without context IDs times alone name the host's threads, and
 * after a silent loss they may be too low (guest/time_blocks.h).  User code where the process that
 * they name never had anything refutes them (guest/code_check.h).
 */
#ifndef DECODER_GUEST_USER_PLACES_H
#define DECODER_GUEST_USER_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/track.h"

struct csg_user_place {
	uint64_t index, address;
};

/* Of one stream.  All zero is the beginning. */
struct csg_user_places {
	struct csg_user_place *places; /* in the order of the trace */
	size_t count, capacity;
	bool failed; /* out of memory */
};

void csg_user_places_fini(struct csg_user_places *places);

/* The next event of the track; that may be any. */
void csg_user_places_event(struct csg_user_places *places, const struct csg_track_event *event);

/* Nobody asks for those before index any more. */
void csg_user_places_forget(struct csg_user_places *places, uint64_t index);

/* The first at index from or after it; those that follow are of the same array. */
const struct csg_user_place *csg_user_places_from(const struct csg_user_places *places,
						  uint64_t from);

/* The end of that array. */
static inline const struct csg_user_place *csg_user_places_end(const struct csg_user_places *p)
{
	return p->places + p->count;
}

#endif
