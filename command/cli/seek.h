/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * --time with --facts FACTS of csguest prepare --index: the session decodes the trace of that time,
 * and little else (csguest/shard.h).  For commands that show nothing which depends on all that ran
 * before it.
 */
#ifndef COMMAND_CLI_SEEK_H
#define COMMAND_CLI_SEEK_H

#include "cli/decode_state.h"

/* The options of a command that was not opened yet.  0, or -CSG_E_USAGE, reported. */
int csg_seek_check(const struct csg_decode *d);

/* The session is open, and the times of --time are known.  0 or a negative error. */
int csg_seek_begin(struct csg_decode *d);

#endif
