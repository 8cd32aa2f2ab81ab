/* SPDX-License-Identifier: BSD-3-Clause */
/* The samples of a session (script/samples.h), with the session's own code, times and owners. */
#ifndef COMMAND_SCRIPT_SAMPLING_H
#define COMMAND_SCRIPT_SAMPLING_H

#include "lookup/lookup.h"
#include "script/samples.h"

struct csg_sampling {
	struct csg_session *session;
	struct csg_lookup lookup;
	struct csg_itrace itrace;
	enum csg_sampler_clock clock;
	bool virtual_time; /* all timestamps are the virtual counter */
	/* Sees every batch of elements before it becomes samples. */
	int (*see)(void *arg, const struct csg_batch *batch);
	bool joined; /* call chains go on beyond the border */
	bool depths; /* as csg_samples_source */
	void *arg;
};

/* Fills in what follows from the session and itrace: all but see and arg. */
void csg_sampling_init(struct csg_sampling *sampling, struct csg_session *session,
		       const struct csg_itrace *itrace);

/* sampling stays with the caller and outlives the samples. */
int csg_sampling_open(struct csg_sampling *sampling, struct csg_samples **samples);

/* Both owners, by number, are of one machine and world; arg is the csg_sampling. */
bool csg_sampling_same_machine(void *arg, uint32_t a, uint32_t b);

#endif
