/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Call chains as folded lines, "outermost;...;innermost weight", which flamegraph.pl, inferno and
 * speedscope read.  Kernels' functions end in _[k] as of stackcollapse-perf.pl --kernel; a guest's
 * in _[gk] (kernel) and _[gu] (user), the hypervisor's in _[h], firmware's in _[f].
 */
#ifndef COMMAND_CALLS_FOLDED_H
#define COMMAND_CALLS_FOLDED_H

#include "calls/call_tree.h"
#include "text/out.h"

/* What a node's name ends in; never NULL. */
const char *csg_folded_suffix(const struct csg_call_node *node);

/* All chains with a weight, in the order in which they were first met. */
void csg_folded_write(const struct csg_call_tree *tree, struct csg_out *out);

#endif
