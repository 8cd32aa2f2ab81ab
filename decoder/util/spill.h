/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A temporary file without a name, for trace bytes that come through a pipe and are needed
 * again later.  It is gone with its last descriptor, however the process ends.
 */
#ifndef DECODER_UTIL_SPILL_H
#define DECODER_UTIL_SPILL_H

/* In dir, where that is NULL in $TMPDIR, else in /tmp.  A descriptor, or -CSG_E_IO. */
int csg_spill_open(const char *dir);

#endif
