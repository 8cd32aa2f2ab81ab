/* SPDX-License-Identifier: BSD-3-Clause */
/* What csguest collect does, with a perf that is watched: for csguest watch. */
#ifndef COMMAND_CLI_COLLECT_WATCHED_H
#define COMMAND_CLI_COLLECT_WATCHED_H

#include "cli/collect_run.h"

/*
 * Collects into options->directory, which is there.  root: as collect --root; dry_run: as that.
 * 0, or a negative error, reported: -CSG_E_NO_TRACE also where the machine lacks something.
 */
int csg_collect_watched(const struct csg_collect_options *options, const char *root, bool dry_run,
			struct csg_collect_watcher *watcher);

#endif
