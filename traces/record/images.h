/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The files that a decoder needs beside the trace, thinned to the pages that were executed.
 *
 *   OUT/perf.data/kcore_dir           the host's kernel: kcore, kallsyms, modules
 *   OUT/perf.data/kcore_dir__VM       a guest's
 *                                     (beside a snapshot OUT/kcore_dir__VM)
 *   OUT/guest-VM.data                 a guest's perf.data
 *   OUT/symfs, OUT/guestmount/VM      the files of processes, at their paths
 *   OUT/buildid                       a build-ID cache with what is no file: [vdso]
 *
 * kallsyms are whole, or thinned as well (symbols.h).
 * A thinned file has its size, headers, notes, symbols and build ID; of its code and read-only data
 * only the pages in which something was executed. They are compared with what was executed: the
 * kernel's differ from the recorded kcore where it was patched since, and get the executed
 * instruction; a process's may not differ at all.
 */
#ifndef RECORD_IMAGES_H
#define RECORD_IMAGES_H
#include "stream.h"

/* 0, or -1 after lines on stderr. */
int images_write(const char *out, struct composer *c);

#endif
