/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The prescan of a session's streams (session/open/prescan_streams.h).  What it has shown goes into
 * the facts that are made of the session; one that is opened with facts takes it from there.
 */
#ifndef DECODER_SESSION_SESSION_PRESCAN_H
#define DECODER_SESSION_SESSION_PRESCAN_H

/* Prescans the streams of arg, a session, once.  0 or a negative error. */
int csg_session_prescan(void *arg);

#endif
