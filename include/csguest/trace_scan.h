/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The scan of one trace unit: trace bytes in, context track out (csguest/track.h).  It reads
 * packets only, no code, and costs a fraction of decoding; what it yields is what
 * csg_attribution_event() takes.
 *
 * Bytes may be in CoreSight frames, of which it picks those of its trace ID, or raw.  It reads a
 * piece of trace after the other, each recorded without a break (perf: one AUX record).  Wrong use
 * is refused, -CSG_E_USAGE; functions that return no error do nothing then.
 */
#ifndef CSGUEST_TRACE_SCAN_H
#define CSGUEST_TRACE_SCAN_H

#include <stddef.h>
#include <stdint.h>

#include "csguest/trace_unit.h"
#include "csguest/track.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum csg_framing {
	CSG_FRAMES,	 /* CoreSight formatter frames of 16 bytes, memory aligned */
	CSG_FRAMES_TPIU, /* the same with frame and half-frame syncs in between (TPIU capture) */
	CSG_RAW,	 /* one trace unit's bytes (PERF_AUX_FLAG_CORESIGHT_FORMAT_RAW: TRBE) */
};

struct csg_trace_scan;

/*
 * unit is copied; events go to out(arg, ...) while bytes are fed.  -CSG_E_USAGE where the unit's
 * size is of no version or its protocol is none that can be read, -CSG_E_NO_MEMORY.
 */
int csg_trace_scan_create(struct csg_trace_scan **scan, const struct csg_trace_unit *unit,
			  csg_track_fn out, void *arg);
void csg_trace_scan_destroy(struct csg_trace_scan *scan);

/*
 * For who wants contexts alone: the scan passes over timestamps from here on, reports none of them
 * and no atom after one, and takes less time.  Of a trace unit that speculates (TRCIDR8) it reports
 * them.
 */
void csg_trace_scan_skip_timestamps(struct csg_trace_scan *scan);

/* A piece of trace begins: nothing that was known holds.  Tells nothing to out. */
void csg_trace_scan_begin(struct csg_trace_scan *scan, enum csg_framing framing);

/*
 * The next n bytes of the piece, at index in the trace of its queue.  A driver's barrier inside is
 * a CSG_TRACK_GAP of kind CSG_GAP_BUFFER.
 */
void csg_trace_scan_feed(struct csg_trace_scan *scan, uint64_t index, const uint8_t *bytes,
			 size_t n);

/* The piece ends at index. */
void csg_trace_scan_end(struct csg_trace_scan *scan, uint64_t index);

/*
 * Where a decoder that has given up after the scan may begin anew: the first A-Sync packet from
 * index on that was met so far (some are left out), UINT64_MAX: none.  A decoder that looks for one
 * by itself may take other bytes for it.  To be asked in ascending order: those before index are
 * forgotten.
 */
uint64_t csg_trace_scan_async(struct csg_trace_scan *scan, uint64_t index);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
