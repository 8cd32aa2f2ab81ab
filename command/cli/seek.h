/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Commands with --time that need nothing of what ran before it: the session hands out the AUX
 * records of that time alone, and with --facts FACTS of csguest prepare --index decodes no others
 * (csguest/shard.h).
 */
#ifndef COMMAND_CLI_SEEK_H
#define COMMAND_CLI_SEEK_H

#include "cli/decode_state.h"

/* The options of a command that was not opened yet.  0, or -CSG_E_USAGE, reported. */
int csg_seek_check(const struct csg_decode *d);

/* The session is open, and the times of --time are known.  0, or an error that was reported. */
int csg_seek_begin(struct csg_decode *d);

#endif
