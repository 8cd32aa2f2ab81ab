/* SPDX-License-Identifier: BSD-3-Clause */
/* csguest export --sqlite. */
#ifndef COMMAND_CLI_EXPORT_SQLITE_H
#define COMMAND_CLI_EXPORT_SQLITE_H

#include "cli/decode.h"
#include "output/output.h"

/*
 * Opens the file that the database is written to: one that can be sought in.  0 or a negative
 * error, reported.
 */
int csg_export_sqlite_open(struct csg_output *output, const char *path,
			   const struct csg_output_rules *rules);

/* Decodes and writes; what was decoded before an error is written all the same. */
int csg_export_sqlite(struct csg_decode *decode, struct csg_output *output);

#endif
