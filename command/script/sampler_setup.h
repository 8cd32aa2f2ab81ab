/* SPDX-License-Identifier: BSD-3-Clause */
/* What a sampler (script/sampler.h) makes samples of, and with whose help. */
#ifndef COMMAND_SCRIPT_SAMPLER_SETUP_H
#define COMMAND_SCRIPT_SAMPLER_SETUP_H

#include "csguest/element.h"
#include "script/itrace.h"
#include "script/sample.h"

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
	/* Both owners are of one machine and world, so that a branch between them leaves
	 * neither. */
	bool (*same_machine)(void *arg, uint32_t a, uint32_t b);
};

#define CSG_SAMPLER_CHAIN_MAX 1024

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
	/* How deep the call stack is that runs now; with chain_arg.  NULL: samples have no
	 * depth. */
	uint32_t (*depth)(void *chain_arg, uint32_t stream);
	struct csg_sampler_client client;
};

#endif
