/* SPDX-License-Identifier: BSD-3-Clause */
/* What the library alone asks of a csguest/trace_scan.h. */
#ifndef DECODER_SCAN_TRACE_SCAN_H
#define DECODER_SCAN_TRACE_SCAN_H

#include "csguest/trace_scan.h"

/* From the next piece on, what comes before the first trace ID is the unit's
 * (csg_demux_take_unnamed()). */
void csg_trace_scan_take_unnamed(struct csg_trace_scan *scan);

#endif
