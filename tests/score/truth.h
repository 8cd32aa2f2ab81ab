/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The truth: who executed each instruction of a recording, as docs/truth.md has it.
 *
 * It is read stream by stream as pieces, and never as a whole: a piece is a number of instructions
 * of one owner.  Where the truth tells the path, a piece is straight: its instructions lie next to
 * each other from its start on, so that the address of every one of them is known.  Where it does
 * not, a piece is a whole run, and only its first address is.
 *
 * Two forms are read: runs, which may be compressed with zstd, and the list of ranges that the
 * first fixture has.
 */
#ifndef TESTS_SCORE_TRUTH_H
#define TESTS_SCORE_TRUTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/context.h"
#include "csguest/diag.h"
#include "csguest/owner.h"

#define CSG_TRUTH_NO_OFFSET UINT64_MAX

/* This many bytes of a stream's trace may have been sent since a run ended before the last of it
 * is spoken of: a trace unit holds back atoms, and A-Sync, timestamps come in between. */
#define CSG_TRUTH_HELD_BACK 96

/* A run of the whole recording that lies next to a window, and is not in it. */
struct csg_truth_neighbour {
	uint64_t instructions; /* of the window's own run that lie between it and the window */
	uint32_t owner;
	bool known;
};

struct csg_truth_piece {
	uint64_t start; /* address of its first instruction */
	uint64_t count; /* instructions, of 4 bytes: AArch64 */
	uint64_t run;	/* number of its run in the stream, from 0 */
	/*
	 * This many bytes of the stream's trace had been sent when the run began, none of them
	 * about it; or CSG_TRUTH_NO_OFFSET.
	 */
	uint64_t offset;
	uint64_t time;	 /* host perf time (ns) at which its run began; 0 in a list of ranges */
	uint64_t until;	 /* and at which it was over; 0: not reported */
	uint64_t window; /* number of its window in the stream, from 0 */
	uint32_t owner;	 /* number for csg_truth_owner() */
	bool straight;	 /* all addresses are known, not just the first */
	bool first;	 /* begins its run */
	bool stamped;	 /* its window carries a timestamp */
	struct csg_truth_neighbour before; /* of the first run of a window */
	struct csg_truth_neighbour after;  /* of its window */
};

/* A trace unit's trace. */
struct csg_truth_stream {
	int32_t cpu;
	int32_t id; /* trace ID; -1: not reported, the CPU does */
	uint64_t instructions;
	uint64_t line, offset; /* where its runs are */
};

struct csg_truth;

/*
 * Opens a truth and reads it once from end to end, so that all owners and streams are known and
 * what is no truth, or cut short, is refused: -CSG_E_NOT_FOUND, -CSG_E_IO, -CSG_E_TRUNCATED,
 * -CSG_E_CORRUPT, -CSG_E_UNSUPPORTED (another version), -CSG_E_LIMIT; reported to sink with the
 * line.
 */
int csg_truth_open(struct csg_truth **truth, const char *path, const struct csg_diag_sink *sink);
void csg_truth_close(struct csg_truth *truth);

const struct csg_truth_stream *csg_truth_streams(const struct csg_truth *truth, size_t *n);
size_t csg_truth_owner_count(const struct csg_truth *truth);
/* evidence and reason are 0. */
const struct csg_owner *csg_truth_owner(const struct csg_truth *truth, uint32_t owner);

/* From here on csg_truth_next() gives the pieces of this stream, from its first. */
int csg_truth_select(struct csg_truth *truth, const struct csg_truth_stream *stream);

/* 1 with *piece filled, 0 at the end of the stream, or a negative error, reported. */
int csg_truth_next(struct csg_truth *truth, struct csg_truth_piece *piece);

#endif
