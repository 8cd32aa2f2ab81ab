/* SPDX-License-Identifier: BSD-3-Clause */
/* Branch stacks and call chains of the samples that a sampler makes (script/sampler.h). */
#ifndef COMMAND_SCRIPT_SAMPLER_STACKS_H
#define COMMAND_SCRIPT_SAMPLER_STACKS_H

#include "script/sampler_state.h"

/* Gives the newest sample the call chain of ip. */
void csg_sampler_add_chain(struct csg_sampler *sampler, uint64_t ip);

/* Gives a sample the branch stack at stack, of csg_last_branches_copy(), which was copied last. */
void csg_sampler_attach(const struct csg_sampler *sampler, struct csg_sample *sample,
			uint64_t stack);

/* The range before has led to this one: perf's cs_etm__update_last_branch_rb(). */
void csg_sampler_push_branch(struct csg_sampler *sampler, const struct csg_element *to);

#endif
