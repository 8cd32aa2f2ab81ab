/* SPDX-License-Identifier: BSD-3-Clause */
/* What a session knows of guests: their recordings, Xen's list of domains, names and times. */
#ifndef DECODER_SESSION_SESSION_GUESTS_H
#define DECODER_SESSION_SESSION_GUESTS_H

#include <stdint.h>

struct csg_session;

/* Xen's list, and the recordings that guests made themselves. */
int csg_session_load_guests(struct csg_session *session);

/* Reports what was said of guests, and is not so by what is known by now; each once. */
int csg_session_report_guest_contradictions(struct csg_session *session);

/* What the user calls the guest in this VM (--guest), else Xen's list of its domain; NULL:
 * nothing. */
const char *csg_session_guest_name(const struct csg_session *session, int32_t vm);

/* Host perf time (ns) of a time of a guest that has a recording, by what is known so far; 0: not
 * known. */
uint64_t csg_session_guest_time(const struct csg_session *session, int32_t vm, uint64_t time);

#endif
