/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The results that are merged (shard/result.h), by recording and shard: whether they are of one
 * view, whether each recording is complete, and whether each shard began with the facts that the
 * one before it ended with.
 */
#ifndef COMMAND_CLI_MERGE_LIST_H
#define COMMAND_CLI_MERGE_LIST_H

#include "shard/result.h"
#include "util/strings.h"

struct csg_merge_entry_file {
	const char *path;
	struct csg_result_head head; /* its texts are kept */
	size_t recording;	     /* by the order in which they were named */
};

/* All zero: nothing was read. */
struct csg_merge_list {
	struct csg_merge_entry_file *files; /* by recording, then by shard */
	size_t n;
	const char *view;
	bool strict;
	int damage; /* of the first recording that is damaged */
};

/* Reads what they begin with, and checks it.  Reported.  paths outlive the list. */
int csg_merge_list_read(struct csg_merge_list *list, char **paths, size_t n,
			struct csg_strings *texts, const struct csg_diag_sink *sink);
void csg_merge_list_fini(struct csg_merge_list *list);

/* Their names, each once, divided by ", "; of many the first ones.  NULL: out of memory. */
const char *csg_merge_list_recordings(const struct csg_merge_list *list, struct csg_strings *texts);
const char *csg_merge_list_hypervisors(const struct csg_merge_list *list,
				       struct csg_strings *texts);

/* Reports why a file is not taken, by the error of whoever read it; returns that. */
int csg_merge_refuse(const char *path, int err, const struct csg_diag_sink *sink);

#endif
