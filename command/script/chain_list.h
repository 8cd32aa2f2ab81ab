/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples with call chains as perf script prints them, for stackcollapse-perf.pl and its like: a
 * line as of other samples, but for what is of one address; then one line for each frame, innermost
 * first, with address, symbol and object; and an empty line.
 */
#ifndef COMMAND_SCRIPT_CHAIN_LIST_H
#define COMMAND_SCRIPT_CHAIN_LIST_H

#include "csguest/stack.h"
#include "lookup/lookup.h"
#include "script/sample_text.h"

struct csg_chain_list {
	const struct csg_follower *follower;
	const struct csg_lookup *lookup; /* that gave the labels */
	struct csg_sample_text line;	 /* with the fields that are not the frames' */
};

/* text says how other samples are printed. */
void csg_chain_list_init(struct csg_chain_list *list, const struct csg_sample_text *text,
			 const struct csg_lookup *lookup, const struct csg_follower *follower);

/* Prints one sample with its branch stack and its chain. */
void csg_chain_list_print(const struct csg_chain_list *list, const struct csg_sample *sample,
			  const struct csg_sample_branch *branches,
			  const struct csg_sample_frame *frames);

#endif
