/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The traced span: from when the first trace of a recording was recorded until the last was, on any
 * CPU.  Sideband may begin long before it, and end long after it.
 */
#ifndef COMMAND_LOOKUP_TRACED_SPAN_H
#define COMMAND_LOOKUP_TRACED_SPAN_H

#include "csguest/recording.h"

/*
 * Of n chunks, in perf time, ns; 0, 0: not known.  As csguest info has it: by the records of the
 * trace buffers, not by the trace, so that nothing needs to be decoded.
 */
void csg_traced_span(const struct csg_chunk *chunks, size_t n, uint64_t *first, uint64_t *last);

#endif
