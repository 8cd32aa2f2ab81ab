/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The scan of one stream: trace bytes in, context track out, no code read.  It runs ahead
 * of the flow over the same bytes, a window at a time, on the packets alone (scan/packets.h).
 */
#ifndef DECODER_SCAN_SCAN_H
#define DECODER_SCAN_SCAN_H

#include "recording/recording.h"
#include "scan/packets.h"
#include "scan/run.h"

struct csg_scan;

/* 0 or -CSG_E_NO_MEMORY.  Events go to out(arg, …) while csg_scan_feed() and _end() run. */
int csg_scan_create(struct csg_scan **scan, const struct csg_source *source, csg_track_fn out,
		    void *arg);
void csg_scan_destroy(struct csg_scan *scan);

/*
 * atoms(arg) is called for each Atom packet from here on, in order with the events: for who looks
 * at a small part of a trace, as it slows the scan down.  Of a unit that speculates it is never
 * called, as atoms may be cancelled.
 */
void csg_scan_watch_atoms(struct csg_scan *scan, void (*atoms)(void *arg));

/* As csg_trace_scan_skip_timestamps(). */
void csg_scan_skip_timestamps(struct csg_scan *scan);

/* The next bytes of the stream's ID. All of them are taken. */
void csg_scan_feed(struct csg_scan *scan, const struct csg_run *run);

/* The piece of trace ends at index. */
void csg_scan_end(struct csg_scan *scan, uint64_t index);

/* A new piece begins: nothing that was known holds. */
void csg_scan_restart(struct csg_scan *scan);

/*
 * The first A-Sync packet from index on that was met so far, UINT64_MAX: none.  To be asked in
 * ascending order: those before index are forgotten.
 */
uint64_t csg_scan_async(struct csg_scan *scan, uint64_t index);

#endif
