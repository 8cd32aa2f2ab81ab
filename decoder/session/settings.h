/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The options of a session (csguest/session.h) as the session works with them: checked, completed
 * with the defaults, and copied, so that the caller's memory may go.
 */
#ifndef DECODER_SESSION_SETTINGS_H
#define DECODER_SESSION_SETTINGS_H

#include "util/arena.h"
#include "session/session_setup.h"

struct csg_settings {
	struct csg_session_setup setup; /* what it points to is below */
	struct csg_diag_sink sink;
	struct csg_filter filter;
	struct csg_arena memory;
};

/*
 * Makes settings of the path and the options (NULL: all defaults).  -CSG_E_USAGE where a size is
 * of no version or a value of no enum, -CSG_E_NO_MEMORY.
 */
int csg_settings_create(struct csg_settings **settings, const char *path,
			const struct csg_session_options *options);
void csg_settings_destroy(struct csg_settings *settings);

#endif
