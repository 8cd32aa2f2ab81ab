/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The files that a command reads: its recording, images, sideband and lists.  An output is compared
 * with them before anything is written (output/output.h).  Files are the same when device and inode
 * are, by whatever name; the set keeps both from the time at which the file was added.
 */
#ifndef COMMAND_OUTPUT_INPUTS_H
#define COMMAND_OUTPUT_INPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

struct csg_inputs {
	struct csg_input_file {
		dev_t device;
		ino_t inode;
		char *path; /* as it was given, for messages */
	} * files;
	size_t count, capacity;
};

/* All zero is an empty set. */
void csg_inputs_fini(struct csg_inputs *inputs);

/*
 * Adds the file at path; of a directory all files below it, which covers a directory recording, a
 * snapshot and a kcore_dir.  What is not there, and NULL, is nothing; "-" is standard input.  0 or
 * -CSG_E_NO_MEMORY.
 */
int csg_inputs_add(struct csg_inputs *inputs, const char *path);

/*
 * The path of the input that st is of, or NULL.  Writing to a terminal, /dev/null or a socket
 * destroys nothing: those are never one.
 */
const char *csg_inputs_find(const struct csg_inputs *inputs, const struct stat *st);

#endif
