/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files that become shorter while the command has them mapped: images are, from an ELF file to a
 * kcore of gigabytes, and what lies beyond the new end raises SIGBUS when it is read.  There is
 * nothing to go on with: code that was decoded before would not be what is decoded now.  The
 * command names the file and ends with the status of a file that cannot be read.
 *
 * Where something must be removed first (output/interrupt.h), zeros take the place of what is gone:
 * the parsers take any bytes, and nothing that is made of these is kept.
 */
#ifndef COMMAND_CLI_TRUNCATED_H
#define COMMAND_CLI_TRUNCATED_H

void csg_truncated_watch(void);

/* The same, but the message does not name the file. */
void csg_truncated_watch_anonym(void);

#endif
