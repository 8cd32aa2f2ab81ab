/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the parts of tests/tools/locality.c share: the intact recording, what was damaged, and what
 * was seen.
 */
#ifndef TESTS_LOCALITY_LOCALITY_H
#define TESTS_LOCALITY_LOCALITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/decode.h"
#include "locality/damage.h"
#include "scan/packet.h"
#include "score/truth.h"

#define STREAMS 8
#define ARGS 64
#define ZONES 2

/* Instructions one after another that a packet says. */
struct entry {
	uint64_t index, address, n;
	/*
	 * Host perf times between which the first of them ran, by the truth: an instruction takes 1
	 * ns, and the CPU may have stood still anywhere in their run.  Where that is, timestamps
	 * may tell.
	 */
	uint64_t from, until;
	uint64_t stamp;	      /* host time of the last timestamp before; 0: not known */
	bool after_gap;	      /* what ran before it was not decoded */
	bool begins;	      /* their run */
	uint32_t truth, seen; /* owners: of the truth, and in the list of the intact decode */
};

struct stream {
	int32_t cpu;
	uint32_t queue;
	uint8_t id;
	struct entry *entries;
	size_t n;
	uint64_t begun;		/* host time of the first run of its truth */
	bool gap;		/* what ran last was not decoded */
	uint64_t run, executed; /* number of the run that is read, and instructions of it so far */
	struct csg_packet *packets;
	size_t packet_n;
};

struct zone {
	uint64_t from, to; /* bytes of the intact queue */
};

/* What was damaged. */
struct place {
	bool in_trace;
	struct damage damage;
	uint64_t removed; /* bytes that are gone */
	struct zone zones[ZONES];
	size_t n;
};

struct seen {
	uint32_t stream;
	bool inside, wrong;
	int32_t vm;
	uint64_t index, time, until, n; /* it ran between time and until */
};

struct run {
	const char *truth_path, *damaged, *data, *tools, *plan;
	int argc;
	char **argv;
	int64_t show;
	struct csg_truth *truth;
	struct csg_owner *owners; /* of the intact decode */
	size_t owner_n;
	struct stream streams[STREAMS];
	size_t n;
	struct csg_decode *d; /* in hand */
	struct seen *seen;
	size_t seen_n;
	uint64_t unknown, matched; /* beyond */
	int64_t shown;
};

/* Appends to a list of n: room for one more. */
void *locality_grow(void *list, size_t n, size_t size);
void locality_stop(const char *why) __attribute__((noreturn));

/* The recording of the command line, or another in its place, is decoded with the same options. */
struct csg_decode *locality_decode(struct run *run, const char *recording);
void locality_finish(struct csg_decode *decode);

/* Its stream in the intact recording, or NULL. */
struct stream *locality_stream(struct run *run, const struct csg_source *source);

/* Decodes the recording of the command line, and compares it with its truth. */
void locality_read_intact(struct run *run);

/* All packets of a source. */
void locality_read_packets(struct csg_recording *recording, const struct csg_source *source,
			   struct stream *stream);

/* Damages the copy as a line of the plan says. */
void locality_damage(struct run *run, const char *line, struct place *place);

/* Where a byte of the damaged recording was. */
uint64_t locality_index(const struct place *place, uint32_t queue, uint64_t index);

/* The copy is open: the zones reach to where it is resynchronised. */
void locality_extend(struct run *run, struct place *place);

bool locality_is_inside(const struct place *place, uint32_t queue, uint64_t index);

/* Decodes the copy, compares it and prints the result. */
void locality_compare(struct run *run, const char *line, struct place *place);

#endif
