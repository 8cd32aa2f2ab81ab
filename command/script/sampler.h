/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements of one stream become samples, as perf 6.12's cs-etm makes them (tools/perf/util/
 * cs-etm.c: cs_etm__sample(), cs_etm__flush(), cs_etm__set_sample_flags()):
 *
 * - A branch is a pair of ranges, from the last instruction of one, if it is a branch that was
 *   taken or an exception followed, to the first of the next.  What kind of branch it was is
 *   known only when the next range has come, as exceptions and ERETs lie in between.
 * - Where tracing began a branch comes from nowhere (ip 0, "tr strt"), where it ended one goes
 *   nowhere (addr 0, "tr end"), whether or not the last instruction was a branch.
 * - Every period-th instruction is a sample, counted across ranges and gaps.
 *
 * Here perf is not followed:
 * - Code that could not be read (NO_CODE, NO_OWNER), and a range whose path is not known, ends
 *   the trace at the address wanted; perf invents a branch to wherever decoding went on.
 * - A branch out of one machine shows the process that left, not the one that was entered.
 */
#ifndef COMMAND_SCRIPT_SAMPLER_H
#define COMMAND_SCRIPT_SAMPLER_H

#include "csguest/element.h"
#include "script/sample_queue.h"
#include "script/sampler_setup.h"

struct csg_sampler;

/* cpu is that of the stream. */
int csg_sampler_create(struct csg_sampler **sampler, const struct csg_sampler_setup *setup,
		       uint32_t stream, int32_t cpu);
void csg_sampler_destroy(struct csg_sampler *sampler);

/* Where elements come from. */
struct csg_sampler_place {
	uint64_t when;	 /* perf time for looking up names and code */
	uint64_t since;	 /* the elements may be as early as that */
	uint64_t record; /* perf time of their AUX record; 0: unknown */
	uint64_t
		piece; /* number of the piece of trace; what samples without times are ordered by */
};

/*
 * Feeds n elements.  Returns how many were used: fewer than n when the queue is full of
 * samples that are ready; take some and feed the rest.
 */
size_t csg_sampler_feed(struct csg_sampler *sampler, const struct csg_element *elements, size_t n,
			const struct csg_sampler_place *place);

/* The stream is over: everything is ready. */
void csg_sampler_end(struct csg_sampler *sampler);

/* Where the samples are; sets no_memory when some were lost. */
struct csg_sample_queue *csg_sampler_queue(struct csg_sampler *sampler);

#endif
