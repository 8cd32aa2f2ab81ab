/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What commands that follow call stacks have in common: how stacks hang together, which times the
 * trace tells, and what time is measured in.
 */
#ifndef COMMAND_CLI_FOLLOW_H
#define COMMAND_CLI_FOLLOW_H

#include "cli/decode.h"
#include "csguest/element.h"
#include "calls/call_tree.h"

/* --stacks=joined|separate, for CSG_OPTION_CHOICE. */
extern const char *const csg_follow_stacks[];
#define CSG_FOLLOW_STACKS_HELP "a guest's stack hangs under its vCPU thread's, or stands alone"

/* Of the levels of host and guests the hypervisor's alone is not traced. */
bool csg_follow_hyp_untraced(const struct csg_decode *d);

/* The perf time of a TIMESTAMP that is the host's for certain, else 0; decode is a struct
 * csg_decode. */
uint64_t csg_follow_time(void *decode, const struct csg_element *timestamp);

/* Timestamps tell perf time. */
bool csg_follow_has_time(const struct csg_decode *decode);

/* What a recording's time is best measured by: cycles, else timestamps, else instructions. */
enum csg_call_weight csg_follow_weight(const struct csg_decode *decode);

/*
 * Builds the tree of all call chains; weight and joined are set.  What was followed before an error
 * is in it all the same.  Close it in any case.
 */
int csg_follow_tree(struct csg_decode *decode, struct csg_call_tree *tree);

#endif
