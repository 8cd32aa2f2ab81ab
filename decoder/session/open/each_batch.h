/* SPDX-License-Identifier: BSD-3-Clause */
/* All batches of a stream, for surveys that decode one for themselves. */
#ifndef DECODER_SESSION_OPEN_EACH_BATCH_H
#define DECODER_SESSION_OPEN_EACH_BATCH_H

#include "session/run/stream.h"

/*
 * Decodes the stream up to its end and calls see for each batch, until it returns an error.  0, or
 * a negative error, be it what see returned.
 */
int csg_each_batch(struct csg_stream *stream, int (*see)(void *arg, const struct csg_batch *batch),
		   void *arg);

#endif
