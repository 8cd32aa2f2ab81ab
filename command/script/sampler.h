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
#include "script/itrace.h"
#include "script/sample_queue.h"

/* What times samples show. */
enum csg_sampler_clock {
	CSG_SAMPLER_TIMELESS, /* none; samples are ready at once */
	CSG_SAMPLER_RECORD,   /* that of the AUX record; timestamps only order samples */
	CSG_SAMPLER_TRACE,    /* the trace's own timestamps, brought to perf time */
};

/* What it wants to know of the world. */
struct csg_sampler_client {
	void *arg;
	/* n bytes of owner's code at address; false where they are not there.  Must be given. */
	bool (*code)(void *arg, uint32_t owner, uint64_t address, uint64_t when, uint8_t *bytes,
		     size_t n);
	/* Perf time of a raw timestamp that has no host time (CSG_SAMPLER_TRACE); 0: unknown. */
	uint64_t (*time)(void *arg, uint64_t timestamp);
	/* Both owners are of one machine and world, so that a branch between them leaves neither. */
	bool (*same_machine)(void *arg, uint32_t a, uint32_t b);
};

#define CSG_SAMPLER_CHAIN_MAX 1024

struct csg_sampler;

struct csg_sampler_setup {
	struct csg_itrace itrace;
	enum csg_sampler_clock clock;
	/*
	 * The queue follows one thread from CPU to CPU (perf record --per-thread): what another
	 * CPU's trace unit adds to it tells that this one's trace has ended.
	 */
	bool per_thread;
	/* Takes all that is fed, however full the queue is. */
	bool unlimited;
	/*
	 * itrace.callchain: the call chain of an instruction of the current element, innermost
	 * first, ip included.  Returns how many of at most max frames there are.
	 */
	size_t (*chain)(void *chain_arg, uint32_t stream, uint64_t ip,
			struct csg_sample_frame *frames, size_t max);
	void *chain_arg;
	/* How deep the call stack is that runs now; with chain_arg.  NULL: samples have no depth. */
	uint32_t (*depth)(void *chain_arg, uint32_t stream);
	struct csg_sampler_client client;
};

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
