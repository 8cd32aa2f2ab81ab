/* SPDX-License-Identifier: BSD-3-Clause */
/* Follows call stacks once more, for the page that timeline writes (calls/span_functions.h). */
#ifndef COMMAND_CLI_PAGE_FUNCTIONS_H
#define COMMAND_CLI_PAGE_FUNCTIONS_H

#include "calls/span_functions.h"
#include "cli/decode.h"

/*
 * Decodes the recording in a session of its own, by the filters; csg_filtered_open() was called.
 * Nothing is reported: the command's own session meets the same.  0 also where the recording cannot
 * be read twice or has no times: then there are no functions.
 */
int csg_page_functions_gather(struct csg_decode *d, struct csg_span_functions *functions);

#endif
