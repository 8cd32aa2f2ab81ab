/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where a path leads: the directory and the name in it that a file written there has in the end,
 * when all symbolic links are followed (path_resolution(7)).  The last of them is followed here and
 * not by the kernel, as what it names need not exist.  A link of procfs (proc_pid_fd(5)) leads to
 * an open file, not to a path: it, and whatever exists and is neither a regular file nor a
 * directory, is written directly.
 */
#ifndef COMMAND_OUTPUT_OUTPUT_PLACE_H
#define COMMAND_OUTPUT_OUTPUT_PLACE_H

#include <stdbool.h>
#include <sys/stat.h>

/* Where a path leads. */
struct csg_output_place {
	int dir;	/* descriptor of the directory, O_PATH */
	char *name;	/* in it */
	bool direct;	/* written where it is, not replaced */
	int own;	/* descriptor of this process that the path names; -1: none */
	bool exists;	/* st is filled */
	struct stat st; /* of what symbolic links lead to */
};

/* Finds where path leads.  0, or errno; csg_output_place_fini() is safe even then. */
int csg_output_place_find(struct csg_output_place *place, const char *path);
void csg_output_place_fini(struct csg_output_place *place);

#endif
