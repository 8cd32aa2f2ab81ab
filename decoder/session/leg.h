/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A leg: a stretch of one stream's way, some ten KB of its trace, with everything that decoding it
 * asks for: the bytes, who runs from where on, and what the scan knew when it passed.  A leg is made
 * once by whoever looks ahead (session/stream.h) and walked later, by any thread: nothing in it changes,
 * and what the walk finds out is written down in it until the stream comes by and collects it.
 *
 * A leg ends where an A-Sync lies a little behind (CSG_LEG_OVERLAP), so that the next one may be walked
 * before it: from that A-Sync on a decoder that knows nothing comes, as a rule, into the very state in
 * which the one that walked this leg is at its end.  Whether it did is verified (session/crew.h).
 */
#ifndef DECODER_SESSION_LEG_H
#define DECODER_SESSION_LEG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/element.h"
#include "csguest/segment.h"
#include "image/image.h"
#include "recording/recording.h"
#include "scan/run.h"

#define CSG_LEG_BYTES (16u << 10) /* of the stream; a leg ends at the next A-Sync behind so many */
#define CSG_LEG_BYTES_MAX (64u << 10) /* or here, where there is none */
#define CSG_LEG_OVERLAP 128	      /* bytes behind an A-Sync, after which decoders agree */

enum csg_leg_step_kind {
	CSG_LEG_RUN,	 /* decode bytes that lie at index */
	CSG_LEG_END,	 /* the trace ends at index */
	CSG_LEG_RESTART, /* and begins anew there */
	CSG_LEG_GAP,	 /* put out a gap: kind, lost bytes */
};

struct csg_leg_step {
	uint64_t index;
	uint32_t at, n; /* RUN: bytes[at] on; GAP: n is what was lost */
	uint8_t kind;	/* enum csg_leg_step_kind */
	uint8_t gap;	/* enum csg_gap */
	uint8_t frame;	/* RUN: as in struct csg_run */
};

/* A step's run, of these bytes. */
static inline struct csg_run csg_leg_run(const struct csg_leg_step *step, const uint8_t *bytes)
{
	return (struct csg_run){.index = step->index,
				.bytes = bytes + step->at,
				.n = step->n,
				.frame = step->frame};
}

/* An owner takes over (csg_flow_segment()), or a gap is put in (csg_flow_gap()). */
struct csg_leg_segment {
	uint64_t index, lost;
	uint32_t owner;
	uint8_t gap; /* enum csg_gap; NONE: an owner */
	bool at_context, at_time, reset;
	bool guest_ran; /* csg_flow_segment_of_guest() */
};

/*
 * A timestamp, and between which host perf times (ns) it was sent, as was known when the leg was made: at
 * time, which never goes back, or later, up to latest (0: not known).
 */
struct csg_leg_time {
	uint64_t index, time, latest;
};

/* An ERET at EL2 led to el, where owner was in force: n times, first at index. */
struct csg_leg_entry {
	uint64_t eret;
	uint64_t index, time, n; /* time: host perf time, ns; 0: not known */
	uint32_t owner;
	uint8_t el; /* enum csg_el */
};

/* Code was asked for that is not there. */
struct csg_leg_miss {
	struct csg_space *space;
	uint64_t address, time;
};

/* Arrays that grow; what is in them counts from 0 on. */
#define CSG_LEG_LIST(type)                                                                         \
	struct {                                                                                   \
		type *at;                                                                          \
		size_t n, room;                                                                    \
	}

struct csg_leg {
	const struct csg_chunk *chunk; /* it lies in; a leg never lies in two */
	bool fresh;		       /* the chunk begins anew: nothing that was before holds */
	bool hold;    /* how the owner behind it is called depends on the ERET it ends with */
	bool last;    /* of its chunk */
	uint64_t end; /* index behind it; hold: of the segment that is held back */
	uint64_t trace_bytes; /* framed, read up to its end */

	CSG_LEG_LIST(uint8_t) bytes;
	CSG_LEG_LIST(struct csg_leg_step) steps;
	CSG_LEG_LIST(struct csg_leg_segment) segments;
	CSG_LEG_LIST(struct csg_leg_time)
	times; /* also of the leg before: a unit may hold some back */
	CSG_LEG_LIST(uint64_t) asyncs;

	/* What lies between an A-Sync and the leg's beginning, to come there without the leg before. */
	struct {
		bool possible;
		uint32_t owner; /* in force at the A-Sync, as it seems */
		uint64_t index;
		struct csg_leg_time time; /* the newest timestamp; index 0: there is none */
		CSG_LEG_LIST(uint8_t) bytes;
		CSG_LEG_LIST(struct csg_leg_step) steps; /* RUN only */
		CSG_LEG_LIST(struct csg_leg_segment) segments;
	} guess;

	/* --- what its walk found out --- */
	CSG_LEG_LIST(struct csg_leg_entry) entries; /* each once */
	CSG_LEG_LIST(struct csg_leg_miss) misses;
	uint64_t eret; /* hold: csg_flow_eret() at its end */
};

/* Empties it for the next stretch; memory is kept. */
void csg_leg_clear(struct csg_leg *leg);
void csg_leg_fini(struct csg_leg *leg);

/* It is to be walked anew. */
void csg_leg_forget_walk(struct csg_leg *leg);

/* Code that was not there is counted by the images. */
void csg_leg_tell_misses(const struct csg_leg *leg);

/* Fills guess with what leg, the one before, has from index on, its A-Sync.  0 or -CSG_E_NO_MEMORY. */
int csg_leg_overlap(struct csg_leg *leg, const struct csg_leg *before, uint64_t index);

/* They return 0 or -CSG_E_NO_MEMORY. */
int csg_leg_add_run(struct csg_leg *leg, const struct csg_run *run);
int csg_leg_add_step(struct csg_leg *leg, const struct csg_leg_step *step);
int csg_leg_add_segment(struct csg_leg *leg, const struct csg_leg_segment *segment);
int csg_leg_add_time(struct csg_leg *leg, const struct csg_leg_time *time);
int csg_leg_add_async(struct csg_leg *leg, uint64_t index);
int csg_leg_add_entry(struct csg_leg *leg, const struct csg_leg_entry *entry);
int csg_leg_add_miss(struct csg_leg *leg, const struct csg_leg_miss *miss);

/* The newest timestamp up to index, NULL: there is none. */
const struct csg_leg_time *csg_leg_time_at(const struct csg_leg *leg, uint64_t index);

/* The first timestamp after index, NULL: the leg has none. */
const struct csg_leg_time *csg_leg_time_after(const struct csg_leg *leg, uint64_t index);

/* The first A-Sync from index on, UINT64_MAX: none. */
uint64_t csg_leg_async_at(const struct csg_leg *leg, uint64_t index);

#endif
