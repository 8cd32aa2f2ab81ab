/* SPDX-License-Identifier: BSD-3-Clause */
/* A csg_lookup that a session answers. */
#ifndef COMMAND_LOOKUP_LOOKUP_SESSION_H
#define COMMAND_LOOKUP_LOOKUP_SESSION_H

#include "csguest/session.h"
#include "lookup/lookup.h"

/* Its functions may be called as long as session lives. */
struct csg_lookup csg_lookup_session(struct csg_session *session);

#endif
