/* SPDX-License-Identifier: BSD-3-Clause */
/* A csg_lookup that a session answers. */
#ifndef DECODER_VIEW_LOOKUP_SESSION_H
#define DECODER_VIEW_LOOKUP_SESSION_H

#include "session/session.h"
#include "view/lookup.h"

/* Its functions may be called as long as session lives. */
struct csg_lookup csg_lookup_session(struct csg_session *session);

#endif
