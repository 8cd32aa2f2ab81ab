/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening: the recording, its images, policy, guests, and a stream of each source. */
#ifndef DECODER_SESSION_SESSION_OPEN_H
#define DECODER_SESSION_SESSION_OPEN_H

#include <stdint.h>

struct csg_session;
struct csg_source;

/* By session->options; after an error the session can be closed and nothing else. */
int csg_session_open_case(struct csg_session *session);

/* Bytes of trace that its stream reads. */
uint64_t csg_session_source_bytes(const struct csg_session *session,
				  const struct csg_source *source);

#endif
