/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Walks jobs (session/run/job.h): a flow (flow/flow.h) with what it asks for, the code of each
 * owner as it was at the time of the newest timestamp.
 */
#ifndef DECODER_SESSION_RUN_WALKER_H
#define DECODER_SESSION_RUN_WALKER_H

#include "flow/flow_state.h"
#include "session/run/code_times.h"
#include "session/run/job.h"
#include "session/run/registry.h"

struct csg_walker_setup {
	struct csg_registry *registry;
	const struct csg_source *source;
	enum csg_engine engine;
	bool no_code;	  /* give out nobody's code */
	bool host_only;	  /* give out the code of the host's kernel alone */
	bool counts;	  /* csg_session_setup.counts */
	bool checks_path; /* csg_flow_code.checks_path */
	const struct csg_diag_sink *sink;
};

/* Whose code was asked for last: owners never change what they stand for while streams are
 * decoded. */
struct csg_walker_code {
	bool known;
	bool refused; /* left out, or nobody's for certain */
	uint32_t owner;
	struct csg_space *space; /* NULL: there is no code of it */
};

struct csg_walker {
	struct csg_walker_setup setup;
	struct csg_flow *flow;
	bool crowded; /* others walk other jobs: what is missing is reported by who comes by */
	struct csg_job *job; /* the current one */
	size_t step, done;   /* of its steps; of the current run */
	bool failed;	     /* csg_walker_failed() */
	struct csg_walker_code code;

	struct csg_code_times code_times; /* between which code runs now */
	uint64_t code_until;		  /* images that were asked may differ from this time on */
	bool code_by_chunk;		  /* code was asked for at the chunk's time */
	uint64_t first_stamp; /* of the job, in its chunk: code before it ran before; 0: none */
	const struct csg_chunk *code_chunk;
};

int csg_walker_init(struct csg_walker *walker, const struct csg_walker_setup *setup);
void csg_walker_fini(struct csg_walker *walker);

/* The job goes on where the one before ended.  0 or -CSG_E_NO_MEMORY. */
int csg_walker_begin(struct csg_walker *walker, struct csg_job *job);

/*
 * Instead of the job before: the state in which it ended, or the guess that there is from the job's
 * overlap. csg_walker_begin() comes after it.  0 or an error.
 */
int csg_walker_resume(struct csg_walker *walker, struct csg_job *job,
		      const struct csg_flow_state *state, const struct csg_code_times *times);
int csg_walker_guess(struct csg_walker *walker, struct csg_job *job);

/*
 * Walks until the flow's buffer is full (false) or the job is done (true); elements are taken from
 * the flow before it goes on.
 */
bool csg_walker_walk(struct csg_walker *walker);

/* Memory was out while it walked: what it found is not to be used. */
bool csg_walker_failed(const struct csg_walker *walker);

#endif
