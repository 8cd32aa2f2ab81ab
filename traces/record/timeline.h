/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Virtual time: from the count of executed instructions to the physical counter.
 *
 * An instruction of any CPU takes a nanosecond; while all CPUs wait (WFI) the time jumps. Reads of
 * the counter inside the recording anchor it: between two anchors that differ by more than the
 * instructions between them there was a jump, and it was where all CPUs waited.
 */
#ifndef RECORD_TIMELINE_H
#define RECORD_TIMELINE_H
#include "raw.h"

#define TIMELINE_NS_PER_TICK 16 /* CNTFRQ_EL0 = 62.5 MHz */

struct timeline_idle {
	uint64_t from, to; /* in instructions: waited between these */
};

struct timeline {
	struct timeline_step {
		uint64_t from;	/* in instructions */
		int64_t offset; /* counter in ns = instructions + offset */
	} * step;
	size_t steps;
	struct {
		struct timeline_idle *idle;
		size_t n;
		uint64_t waits; /* since; UINT64_MAX: does not */
	} cpu[RAW_MAX_CPUS];
	struct timeline_anchor {
		uint64_t at;
		int64_t offset;
	} * anchor;
	size_t anchors;
	unsigned unplaced; /* jumps for which no wait was found */
};

void timeline_init(struct timeline *t);
void timeline_fini(struct timeline *t);
/* Feed all events, then settle: 0, or -1 when the recording reads no counter. */
void timeline_event(struct timeline *t, const struct raw_event *e);
int timeline_settle(struct timeline *t, unsigned cpus);
/* The physical counter, in ticks, after that many instructions. */
uint64_t timeline_counter(const struct timeline *t, uint64_t instructions);

#endif
