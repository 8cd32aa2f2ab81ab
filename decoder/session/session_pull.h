/* SPDX-License-Identifier: BSD-3-Clause */
/* Decoding: batches of elements, stream by stream or merged in time order. */
#ifndef DECODER_SESSION_SESSION_PULL_H
#define DECODER_SESSION_SESSION_PULL_H

#include <stdbool.h>
#include <stdint.h>

#include "csguest/element.h"
#include "session/session_setup.h"

struct csg_session;

/*
 * The next elements: of the stream with the earliest time when in_time_order, else stream
 * after stream.  Returns 1 with *batch filled, 0 at the end, or a negative error that ends
 * the session; losses inside a stream are elements, never errors.
 * A batch never spans a TIMESTAMP element except as its first: all elements
 * of a batch share batch.time.
 */
int csg_session_pull(struct csg_session *session, bool in_time_order, struct csg_batch *batch);

/*
 * The same for one stream, chosen by the caller, who merges streams by times of its own.  The
 * batch stays valid until the next call for this stream; other streams may be asked meanwhile.
 * Not to be mixed with csg_session_pull().
 */
int csg_session_pull_of(struct csg_session *session, uint32_t stream, struct csg_batch *batch);

/*
 * Instead of both: reads the packets of one more job of a stream.  1, 0 at its end, or a negative
 * error.
 */
int csg_session_scan(struct csg_session *session, size_t stream);

/* From now on the session is pulled so; false: it was pulled otherwise before. */
bool csg_session_settle_on(struct csg_session *session, enum csg_pull how);

/* From now on nothing is pulled; false: something was, or that was said before. */
bool csg_session_settle_stopped(struct csg_session *session);

/* Whether it hands out every element of its streams, each range for itself. */
bool csg_session_is_whole(const struct csg_session *session);

#endif
