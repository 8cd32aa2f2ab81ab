/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The road: one stream's trace from its first byte to its last, cut into legs (session/leg.h), each made
 * when it is asked for, chunk by chunk.  The bytes of a leg are those of the stream's trace ID, up to where
 * the look ahead (session/ahead.h) has settled who runs.
 */
#ifndef DECODER_SESSION_ROAD_H
#define DECODER_SESSION_ROAD_H

#include "scan/demux.h"
#include "session/ahead.h"

struct csg_road_setup {
	struct csg_recording *rec;
	const struct csg_source *source;
	struct csg_people *people;
	struct csg_attribution_stream *owners;
	const struct csg_switch_survey *survey; /* or NULL; they outlive the road, as all before */
	/*
	 * Called when the first byte of the source is found: a queue may have a source for every CPU though
	 * few of them ever send to it, and decoders are large.  -CSG_E_UNSUPPORTED: the road ends there.
	 */
	int (*open)(void *arg);
	void *arg;
};

struct csg_road {
	struct csg_road_setup setup;
	const struct csg_chunk *chunks;
	size_t chunk_count, chunk; /* chunk that legs are made of */
	unsigned int stage;
	bool opened;
	bool holds; /* the leg made last ends where the next owner is held back: csg_road_release() */
	struct csg_ahead ahead;
	struct csg_window *window; /* onto the bytes that legs get */
	uint64_t offset;	   /* of the next of them in the chunk */
	uint64_t read;		   /* bytes so far, framed */
	uint32_t owner;		   /* of the segment that was given to a leg last */
	uint64_t async; /* of the overlap that the leg at hand ends with; UINT64_MAX: none yet */
	size_t overlap; /* where its bytes begin in the leg */
	struct csg_leg next; /* its guess is that of the leg made next */
	struct csg_demux demux;
	struct csg_run run; /* being put into legs */
	size_t run_done;
	uint64_t nobodys; /* of the piece at hand, bytes of no trace ID that gaps tell of */
	bool begun;	/* the piece at hand has put bytes into legs */
	bool continues; /* the next chunk goes on without a break */
};

void csg_road_init(struct csg_road *road, const struct csg_road_setup *setup);
void csg_road_fini(struct csg_road *road);

/* Makes the next leg: 1, 0 at the end of the road, or a negative error. */
int csg_road_make(struct csg_road *road, struct csg_leg *leg);

/* The leg made last, which has been walked, ended with this ERET, 0: with something else. */
int csg_road_release(struct csg_road *road, uint64_t eret);

/* What the walk of a leg has found out, in order of the legs. */
void csg_road_learn(struct csg_road *road, const struct csg_leg *leg);

#endif
