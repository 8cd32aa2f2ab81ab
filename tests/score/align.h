/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Holds what was decoded of one stream against the truth of it, instruction by instruction.
 *
 * While nothing is lost, the next instruction decoded is the next one of the truth: its address
 * must be the truth's wherever that is reported.  What is not so is a mismatch, never skipped.
 *
 * A gap (missing code, an overflow, bytes that cannot be decoded) says that the truth has
 * instructions which were not decoded, but not how many.  After it CSG_ALIGN_FIRST ranges are
 * gathered, and the place in the truth is looked for where all of them fit and which the position
 * in the trace allows.  The truth's OFFSET of a run says so from both sides: what was sent before a
 * run began is not about it, and what was executed before it is spoken of at most
 * CSG_TRUTH_HELD_BACK bytes later.  What lies between is lost.  Trace On alone is no loss: what is
 * not traced is not in the truth.
 *
 * While several places fit, more ranges are gathered, up to CSG_ALIGN_PENDING or to the next gap.
 * Where that leaves places of other owners, the client is given all of these owners (ambiguous),
 * and the place of what follows is looked for anew; of places of the same owners the first is
 * taken.
 *
 * A gap for want of code names the address where it was wanted, so the truth has an instruction
 * there: it is a place as well, and the owner whose code was wanted is checked against the truth,
 * unless others executed that address at places that are possible, too.
 *
 * Where the truth does not tell the path, a decode that resumes in the middle of a run has no place
 * in it, only the run is known: it floats there until the run after it begins.  One that resumes at
 * a run's first address may be in the middle of it, too: it is taken for the beginning until the
 * exception level says that the run was over sooner.
 *
 * Memory is bounded: at most CSG_ALIGN_LOOK pieces of the truth are held.
 */
#ifndef TESTS_SCORE_ALIGN_H
#define TESTS_SCORE_ALIGN_H

#include "csguest/element.h"
#include "score/truth.h"

#define CSG_ALIGN_FIRST 16
#define CSG_ALIGN_PENDING 256 /* CSG_ALIGN_FIRST, doubled some times */
#define CSG_ALIGN_OWNERS 8
#define CSG_ALIGN_LOOK 65536

enum csg_mismatch {
	CSG_MISMATCH_ADDRESS, /* the truth is at another address */
	CSG_MISMATCH_PLACE,   /* after a gap: the truth has this nowhere that the trace allows */
	CSG_MISMATCH_MORE,    /* the truth has no further instruction: of the stream, or of a run */
	CSG_MISMATCH_RETURN,  /* an exception returns elsewhere than after what was executed */
	CSG_MISMATCH_END,     /* the decode ends before the truth, and no gap says why */
	CSG_MISMATCH_STREAM,  /* the truth has no such stream, or none is left of it */
	CSG_MISMATCH_COUNT,
};

/* Where an element of a stream is. */
struct csg_align_when {
	uint64_t sent; /* this many bytes of the stream's trace lie before its packet;
			  CSG_TRUTH_NO_OFFSET: not known */
	uint64_t time; /* csg_batch.time: host perf time, ns; 0: not known */
};

/* The owners that a range has at the places where it may belong. */
struct csg_align_owners {
	uint32_t owner[CSG_ALIGN_OWNERS]; /* numbers for csg_truth_owner() */
	unsigned int own, n;		  /* the first own of n are those at the first place */
	bool more;			  /* there are others */
};

static inline bool csg_align_is_open(const struct csg_align_owners *owners)
{
	return owners->n > owners->own || owners->more;
}

struct csg_align_client {
	void *arg;
	/* n instructions of e, from address on, are these of the truth; after the `at`th of the
	 * piece's run where that is known.  time: as in csg_align_when. */
	int (*pair)(void *arg, const struct csg_truth_piece *piece, uint64_t n, uint64_t address,
		    const struct csg_element *e, uint64_t time);
	/* n instructions of the piece were not decoded; CSG_GAP_NONE: after a mismatch. */
	/* The next instruction, of this piece, could not be decoded: its code was missing.  e: the
	 * gap, with the owner whose code was wanted. */
	int (*claim)(void *arg, const struct csg_truth_piece *piece, const struct csg_element *e);
	int (*lost)(void *arg, const struct csg_truth_piece *piece, uint64_t n, enum csg_gap why);
	/*
	 * The n instructions of e from address on are not the truth's; piece: where that is, or
	 * NULL; wanted: the address it has, 0: not reported.
	 */
	int (*mismatch)(void *arg, enum csg_mismatch what, const struct csg_truth_piece *piece,
			uint64_t wanted, uint64_t n, uint64_t address, const struct csg_element *e);
	/* As pair, but they may as well be of one of these owners, elsewhere in the truth.  NULL:
	 * the first place counts. */
	int (*ambiguous)(void *arg, const struct csg_truth_piece *piece,
			 const struct csg_align_owners *owners, uint64_t n, uint64_t address,
			 const struct csg_element *e, uint64_t time);
};

struct csg_align {
	struct csg_truth *truth;
	struct csg_align_client client;
	struct csg_truth_piece *look; /* of the truth, from the one in hand on */
	size_t head, n;		      /* look[head] is it; n are held, those before head are done */
	bool drained;		      /* the truth has no more pieces */
	uint64_t used;		      /* instructions of look[head] that are done */
	bool synced;		      /* the next instruction decoded is the next of the truth */
	bool floating;		      /* ... or one of the run look[head], whichever */
	bool loose;	  /* ... if a decode that resumed in look[head] began at its begin */
	enum csg_gap why; /* not synced: what was lost first */
	bool has_back;	  /* an exception now returns to back */
	uint64_t back;
	struct csg_align_range {
		struct csg_element e;
		struct csg_align_when when;
		struct csg_align_owners owners; /* csg_align_find_others() */
	} pending[CSG_ALIGN_PENDING];
	unsigned int pendings, patience;     /* their place is looked for with this many */
	const struct csg_align_owners *open; /* of the range in hand; NULL: its place is settled */
};

/* Begins a stream of the truth.  _fini is safe after any error. */
int csg_align_begin(struct csg_align *align, struct csg_truth *truth,
		    const struct csg_truth_stream *stream, const struct csg_align_client *client);
void csg_align_fini(struct csg_align *align);

/* Whether something that was traced is missing where there is this gap. */
static inline bool csg_align_is_loss(enum csg_gap gap)
{
	return gap != CSG_GAP_TRACE_ON && gap != CSG_GAP_GUEST;
}

/* The next element of the stream.  0, or a negative error: of the truth or the client. */
int csg_align_add(struct csg_align *align, const struct csg_element *e, struct csg_align_when when);

/* The stream is at its end: what the truth has left is lost. */
int csg_align_end(struct csg_align *align);

#endif
