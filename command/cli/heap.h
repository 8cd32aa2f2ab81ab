/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command's heap.  What a recording's symbols, threads and mappings need is some tens of MB, all of
 * it for as long as the command runs.  By default malloc() asks the kernel for it in small pieces, of
 * which every page costs a fault when it is first written to: a sixth of the time of a report.  Here it is
 * taken at once, in huge pages (madvise(2), MADV_HUGEPAGE) where the kernel has any; only what is
 * written to becomes memory.
 *
 * Of a command, not of a library: whose heap it is decides.  Does nothing where malloc() is not glibc's.
 */
#ifndef COMMAND_CLI_HEAP_H
#define COMMAND_CLI_HEAP_H

#include <stddef.h>

#define CSG_HEAP_BYTES ((size_t)64 << 20)    /* that the heap grows by */
#define CSG_HEAP_HUGE_PAGE ((size_t)2 << 20) /* of most machines; their kernel knows its own */

/* The whole huge pages from begin up to end: where they begin, and *size bytes; 0: there are none. */
char *csg_heap_huge_pages(char *begin, char *end, size_t *size);

/* To be called before the first large allocation, once.  Cannot fail: what is refused is done without. */
void csg_heap_take(void);

#endif
