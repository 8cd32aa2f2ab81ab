/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ini files of an OpenCSD snapshot directory, as OpenCSD's own reader has them
 * (tests/snapshot_parser_lib): sections in brackets, key=value, comments from ; or # on,
 * lines end with LF or CR LF, values may be quoted.  Register names may be decorated with
 * what the recorder knew of them: "TRCIDR0(0x078)", "TRCIDR0(id:0x78,size:32)".
 */
#ifndef DECODER_RECORDING_SNAPSHOT_SNAPSHOT_INI_H
#define DECODER_RECORDING_SNAPSHOT_SNAPSHOT_INI_H

#include <stddef.h>
#include <stdint.h>

/*
 * A key and its value in a section ("" before the first one); value is NULL where the line has
 * no "=".  offset is that of the line.  Anything but 0 ends the reading.
 */
typedef int (*csg_snapshot_ini_fn)(void *arg, const char *section, const char *key,
				   const char *value, uint64_t offset);

/* Longest line that is read; what is longer is cut there. */
#define CSG_SNAPSHOT_INI_LINE 1024

/* Reads the len bytes at text.  What fn returned, or 0. */
int csg_snapshot_ini_read(const char *text, size_t len, csg_snapshot_ini_fn fn, void *arg);

/* Is key, without its decoration, this register?  Letters of either case are the same. */
int csg_snapshot_ini_is_register(const char *key, const char *name);

/* A number as strtoull() takes it with base 0; -CSG_E_CORRUPT where it is none. */
int csg_snapshot_ini_number(const char *value, uint64_t *number);

#endif
