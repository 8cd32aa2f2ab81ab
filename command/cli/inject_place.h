/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where csguest inject writes.  perf finds kernels that came with a recording only beside the file
 * "data" of a directory: kcore_dir, and kcore_dir__PID for each guest.  So where the recording, or
 * the command line, brings any along, the output is a directory: with links to the recording's, and
 * for guests whose kernel ran but which have none there, a kallsyms of the symbols that were found.
 * A pipe has nothing beside it.
 */
#ifndef COMMAND_CLI_INJECT_PLACE_H
#define COMMAND_CLI_INJECT_PLACE_H

#include "cli/decode.h"
#include "inject/inject.h"
#include "output/output_dir.h"

struct csg_inject_place {
	const char *output; /* as the user named it */
	int fd;		    /* where the perf.data goes; -1: not open */
	bool pipe;	    /* as a pipe: "-", a FIFO, a device */
	bool is_directory;
	struct csg_output file;
	struct csg_output_dir dir;
};

/* Chooses, and opens.  0 or a negative error that was reported. */
int csg_inject_place_make(struct csg_inject_place *place, struct csg_decode *decode);

/* The perf.data is complete: writes the symbols of guests' kernels and gives all its place.
 * Symbols that cannot be written are reported and do no harm to the rest. */
int csg_inject_place_finish(struct csg_inject_place *place, struct csg_decode *decode,
			    const struct csg_inject *inject);

/* Drops everything unless it was finished, and then delivers signals that came meanwhile. */
void csg_inject_place_fini(struct csg_inject_place *place);

#endif
