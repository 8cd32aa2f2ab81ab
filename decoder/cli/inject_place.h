/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What csguest inject writes beside the samples.  perf finds kernels that came with a recording only
 * beside the file "data" of a directory: kcore_dir, and kcore_dir__PID for each guest.  So where the
 * recording, or the command line, brings any along, the output is a directory: with links to the
 * recording's, and for guests whose kernel ran but which have none there, a kallsyms of the symbols
 * that were found.  A pipe has nothing beside it.
 */
#ifndef DECODER_CLI_INJECT_PLACE_H
#define DECODER_CLI_INJECT_PLACE_H

#include "cli/decode.h"
#include "view/inject.h"

struct csg_inject_place {
	const char *output; /* as the user named it */
	char *data;	    /* the file: output, or output/data; NULL: standard output ("-") */
	bool is_directory;
};

/* Chooses, and makes the directory.  0 or a negative error that was told. */
int csg_inject_place_make(struct csg_inject_place *place, const struct csg_decode *decode);

/* Writes the symbols of guests' kernels.  Failures are told and do no harm to the rest. */
void csg_inject_place_kernels(const struct csg_inject_place *place, struct csg_decode *decode,
			      const struct csg_inject *inject);

/* finished: the file was; else the directory goes away again. */
void csg_inject_place_fini(struct csg_inject_place *place, bool finished);

#endif
