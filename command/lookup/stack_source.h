/* SPDX-License-Identifier: BSD-3-Clause */
/* Call stacks with what a csg_lookup knows. */
#ifndef COMMAND_LOOKUP_STACK_SOURCE_H
#define COMMAND_LOOKUP_STACK_SOURCE_H

#include "csguest/stack.h"
#include "lookup/lookup.h"

/* lookup has to outlive the follower that the source is given to. */
struct csg_follower_source csg_lookup_stack_source(const struct csg_lookup *lookup, size_t streams);

#endif
