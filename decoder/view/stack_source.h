/* SPDX-License-Identifier: BSD-3-Clause */
/* Call stacks with what a csg_lookup knows. */
#ifndef DECODER_VIEW_STACK_SOURCE_H
#define DECODER_VIEW_STACK_SOURCE_H

#include "csguest/stack.h"
#include "view/lookup.h"

/* lookup has to outlive the follower that the source is given to. */
struct csg_follower_source csg_lookup_stack_source(const struct csg_lookup *lookup, size_t streams);

#endif
