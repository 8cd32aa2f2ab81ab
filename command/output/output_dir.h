/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A directory of files that a command writes, as csg_output is one file: the files are made in a
 * hidden directory beside the target, or inside where the target is an empty directory, and get
 * their place when all are written.  A directory that holds something is refused.
 *
 * Unlike a file, a directory cannot be without a name.  So signals that would end the command are
 * held (output/interrupt.h) as long as it is open: whoever fills it ends early when
 * csg_interrupt_seen() says so.
 */
#ifndef COMMAND_OUTPUT_OUTPUT_DIR_H
#define COMMAND_OUTPUT_OUTPUT_DIR_H

#include "output/interrupt.h"
#include "output/output.h"

struct csg_output_dir {
	int fd;	    /* the hidden directory; -1: not open */
	char *path; /* of it, absolute: for those who need a path */
	struct csg_output_rules rules;
	struct csg_output_place place;
	char *shown;   /* as the user named the target */
	char name[32]; /* of the hidden directory */
	struct csg_interrupt interrupt;
};

/* -CSG_E_USAGE: something is there; -CSG_E_IO; -CSG_E_NO_MEMORY.  The first two are reported. */
int csg_output_dir_open(struct csg_output_dir *dir, const char *path,
			const struct csg_output_rules *rules);

/* Opens a file in it, made new or, with append, to be continued.  -1: errno says why. */
int csg_output_dir_file(const struct csg_output_dir *dir, const char *name, bool append);

/* Reports that a file of it cannot be written; returns -CSG_E_IO. */
int csg_output_dir_cannot(const struct csg_output_dir *dir, const char *name, int error);

/* Gives all files their place, or leaves nothing.  -CSG_E_IO, reported. */
int csg_output_dir_commit(struct csg_output_dir *dir);

/* Removes everything unless it was committed.  All zero or not open: does nothing. */
void csg_output_dir_drop(struct csg_output_dir *dir);

#endif
