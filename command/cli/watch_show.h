/* SPDX-License-Identifier: BSD-3-Clause */
/* What csguest watch makes of a snapshot: whether it holds its cause, the page, the summary. */
#ifndef COMMAND_CLI_WATCH_SHOW_H
#define COMMAND_CLI_WATCH_SHOW_H

#include "watch/trigger.h"

/*
 * Decodes the recording in directory, and writes cause.txt, timeline.html and summary.txt there,
 * and the cause to standard error.  0 or a negative error, reported.
 */
int csg_watch_show(const char *directory, const struct csg_cause *cause);

#endif
