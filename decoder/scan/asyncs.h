/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the scan has met A-Sync packets: where decoding may begin anew when OpenCSD gives up by
 * itself.
 *
 * OpenCSD would look for the next A-Sync from the byte on at which it stopped, inside of a packet
 * perhaps, and might take bytes for one that the scan read as something else.  From there on it
 * would be given what the scan has not looked at, under owners of other instructions.
 *
 * A ring of fixed size; A-Syncs close after another are left out.
 */
#ifndef DECODER_SCAN_ASYNCS_H
#define DECODER_SCAN_ASYNCS_H

#include <stddef.h>
#include <stdint.h>

#include "util/ring.h"

#define CSG_ASYNCS 8192		/* a power of two: twice what lies within the look-ahead */
#define CSG_ASYNCS_DISTANCE 256 /* bytes of the queue between two that are kept */

/* Zero-filled it is empty. */
struct csg_asyncs {
	uint64_t index[CSG_ASYNCS]; /* ascending from first on */
	struct csg_ring queue;
};

/* An A-Sync packet begins at index; an index before the last one begins another piece of trace. */
void csg_asyncs_add(struct csg_asyncs *asyncs, uint64_t index);

/* The first A-Sync from index on, UINT64_MAX: none is known.  Those before it are forgotten. */
uint64_t csg_asyncs_next(struct csg_asyncs *asyncs, uint64_t index);

#endif
