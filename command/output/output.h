/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A file that a command writes.
 *
 * Where the path names a regular file or nothing, the bytes go to a file without a name (O_TMPFILE)
 * in the directory that symbolic links lead to; csg_output_commit() gives it the name when all is
 * written. Until then nothing is at the path, or what was there before, however the command ends.
 * A new file has the mode that an ordinary open(2) would give, one that replaces another the mode
 * and, where that is allowed, the owner of the other.
 *
 * Anything else (a device, a FIFO, /dev/stdout, /dev/fd/N) is opened and written directly; a
 * descriptor of the process itself is duplicated, so that what was written to it before stays.
 *
 * Before anything is opened for writing, the target is compared with every input (output/inputs.h).
 */
#ifndef COMMAND_OUTPUT_OUTPUT_H
#define COMMAND_OUTPUT_OUTPUT_H

#include <stdbool.h>
#include <sys/stat.h>

#include "csguest/diag.h"
#include "output/inputs.h"
#include "output/output_place.h"

/* All zero: no inputs, nothing is replaced, no messages. */
struct csg_output_rules {
	const struct csg_inputs *inputs;
	/* Inputs that are only known later, asked before a file is replaced; NULL: none. */
	bool (*is_input)(void *arg, const struct stat *st);
	void *arg;
	bool replace;  /* a regular file that exists is replaced (--force) */
	bool keep_old; /* it is replaced, but kept as PATH.old, as perf does; an empty one is not */
	const struct csg_diag_sink *sink;
};

struct csg_output {
	int fd; /* write here, anywhere in the file unless direct; -1: not open */
	struct csg_output_rules rules;
	struct csg_output_place place;
	char *path;    /* as the user named it */
	bool linkable; /* fd can be given a name (O_TMPFILE); else its bytes are copied */
};

/*
 * Opens path for writing.  -CSG_E_USAGE: it is an input, or exists and may not be replaced;
 * -CSG_E_IO; -CSG_E_NO_MEMORY.  The first two are reported.
 */
int csg_output_open(struct csg_output *output, const char *path,
		    const struct csg_output_rules *rules);

/* Whether path leads to something that is written directly, and that exists; or
 * -CSG_E_NO_MEMORY. */
int csg_output_is_stream(const char *path);

/* Whether it is written directly: then it may be no file, and not be sought in. */
bool csg_output_is_direct(const struct csg_output *output);

/*
 * Ends it.  error is 0, or errno of the first write that failed: that is reported, and nothing is
 * left. -CSG_E_USAGE (it has become an input, or exists by now) or -CSG_E_IO, reported.
 */
int csg_output_commit(struct csg_output *output, int error);

/* Drops what was written unless it was committed.  All zero or not open: does nothing. */
void csg_output_drop(struct csg_output *output);

/* For output/output_dir.c, too. */

/* A name that nothing is likely to have, hidden. */
void csg_output_temporary_name(char name[32]);

/* Writes all bytes.  0, or errno. */
int csg_output_write(int fd, const void *bytes, size_t n);

/* Reports that path cannot be written, and returns -CSG_E_IO; of ENOMEM nothing but
 * -CSG_E_NO_MEMORY. */
int csg_output_cannot(const struct csg_output_rules *rules, const char *path, int error);

#endif
