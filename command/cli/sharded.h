/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Commands that decode a shard of a recording and write its sums to a file, which csguest merge
 * adds up: --shard K/N --facts FACTS -o RESULT (csguest/shard.h, shard/result.h).
 */
#ifndef COMMAND_CLI_SHARDED_H
#define COMMAND_CLI_SHARDED_H

#include "cli/decode_state.h"

#define CSG_SHARDED_OPTIONS 3

/* Fills the options of a command that can; they point into d. */
void csg_sharded_fill_options(struct csg_decode *d, struct csg_option options[CSG_SHARDED_OPTIONS]);

/* What argv asks for, before anything is opened; what the options choose is kept.  -CSG_E_USAGE. */
int csg_sharded_parse(struct csg_decode *d, char **argv);

/* Whether a shard is asked for. */
bool csg_sharded_on(const struct csg_decode *d);

/* Opens the result.  Reported. */
int csg_sharded_open_output(struct csg_decode *d);

/* The session, which is open, decodes the shard.  Reported. */
int csg_sharded_begin(struct csg_decode *d);

/* A message was reported. */
void csg_sharded_note(struct csg_decode *d, const struct csg_diag *diag);

/*
 * All was decoded: begins the result with all that is not the view's.  view(arg, pack) adds that,
 * and the file is written.
 */
int csg_sharded_write(struct csg_decode *d, int (*view)(void *arg, struct csg_pack *pack),
		      void *arg);

void csg_sharded_fini(struct csg_decode *d);

/* Reads a file whole; *bytes are to be freed.  Reported. */
int csg_sharded_read(const char *path, const struct csg_diag_sink *sink, uint8_t **bytes,
		     size_t *n);

#endif
