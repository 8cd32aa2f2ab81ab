/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where a source's first byte is: a queue may have a source for every CPU though few of them ever
 * send to it.
 */
#ifndef DECODER_SESSION_RUN_FIRST_BYTES_H
#define DECODER_SESSION_RUN_FIRST_BYTES_H

#include "scan/demux.h"

/* Begins a chunk of a source.  ids: trace IDs that the queue's sources have, a bit each; its first
 * source counts the bytes of others. */
void csg_first_bytes_begin(struct csg_demux *demux, const struct csg_source *source,
			   const uint64_t ids[2], const struct csg_chunk *chunk);

/* Whether the chunk holds a byte of the source's trace ID, or of none that it has to tell of.  0 or
 * an error. */
int csg_first_bytes_in(struct csg_recording *rec, const struct csg_source *source,
		       const uint64_t ids[2], const struct csg_chunk *chunk, bool *holds);

#endif
