/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether the files of kernels are those that ran (session/open/kernel_check.h): the host's, or of
 * guests. */
#ifndef DECODER_SESSION_SESSION_KERNELS_H
#define DECODER_SESSION_SESSION_KERNELS_H

#include <stdbool.h>

#include "session/open/kernel_check.h"

struct csg_session;

/*
 * The host's, as soon as it can be, as owners rest on its symbols: asked before facts of guests are
 * stated, and when they are.
 */
int csg_session_check_host_kernel(struct csg_session *session, bool facts_are_stated);
int csg_session_check_guests_kernels(struct csg_session *session);

/*
 * Compares the kernels' files with the trace, where that was not done at once: csg_check_kernel().
 * And what came of it so far.
 */
int csg_session_compare_kernels(struct csg_session *session);
const struct csg_checked_kernels *csg_session_checked_kernels(const struct csg_session *session);

#endif
