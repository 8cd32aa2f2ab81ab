/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening: the recording, its images, policy, guests, and a stream of each source. */
#ifndef DECODER_SESSION_SESSION_OPEN_H
#define DECODER_SESSION_SESSION_OPEN_H

struct csg_session;

/* By session->options; after an error the session can be closed and nothing else. */
int csg_session_open_case(struct csg_session *session);

#endif
