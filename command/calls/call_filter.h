/* SPDX-License-Identifier: BSD-3-Clause */
/* What of a recording's calls and exits is shown: by owner, code and time (cli/filtered.h). */
#ifndef COMMAND_CALLS_CALL_FILTER_H
#define COMMAND_CALLS_CALL_FILTER_H

#include "csguest/owner.h"
#include "csguest/stack.h"
#include "lookup/lookup_anonym.h"
#include "timeline/slice_window.h"

/* Each function may be NULL: then all is shown. */
struct csg_call_filter {
	void *arg;
	/* Whether what this owner ran is. */
	bool (*owner)(void *arg, const struct csg_owner *owner);
	/* Whether what this function ran itself is; dso and symbol may be NULL. */
	bool (*code)(void *arg, const char *dso, const char *symbol);
	/* Whether what runs on this stream now is. */
	bool (*now)(void *arg, uint32_t stream);
	const struct csg_slice_windows *windows; /* of times (ns); NULL: all times */
};

static inline bool csg_call_filter_owner(const struct csg_call_filter *filter,
					 const struct csg_owner *owner)
{
	return !filter->owner || filter->owner(filter->arg, owner);
}

static inline bool csg_call_filter_now(const struct csg_call_filter *filter, uint32_t stream)
{
	return !filter->now || filter->now(filter->arg, stream);
}

/* Whether what a function ran itself is shown, by its label. */
static inline bool csg_call_filter_label(const struct csg_call_filter *filter,
					 const struct csg_lookup *lookup,
					 const struct csg_follower *follower, uint32_t label)
{
	struct csg_function_name name;

	if (!filter->code)
		return true;
	name = csg_lookup_function(lookup, follower, label);
	return filter->code(filter->arg, name.dso, name.name);
}

/* The same of the innermost function of a stack; without one it is code that is not known. */
static inline bool csg_call_filter_code(const struct csg_call_filter *filter,
					const struct csg_lookup *lookup,
					const struct csg_follower *follower,
					const struct csg_stack *stack)
{
	return csg_call_filter_label(filter, lookup, follower,
				     stack && stack->depth ? csg_stack_top(stack)->function.label
							   : 0);
}

/* Whether anything is left out. */
static inline bool csg_call_filter_chooses(const struct csg_call_filter *filter)
{
	return filter->owner || filter->code || filter->now;
}

/* The windows of its times. */
static inline const struct csg_slice_windows *
csg_call_filter_windows(const struct csg_call_filter *filter)
{
	return filter->windows ? filter->windows : &csg_slice_windows_all;
}

#endif
