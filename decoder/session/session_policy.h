/* SPDX-License-Identifier: BSD-3-Clause */
/* Under which kind of hypervisor a session looks for owners. */
#ifndef DECODER_SESSION_SESSION_POLICY_H
#define DECODER_SESSION_SESSION_POLICY_H

#include <stddef.h>

struct csg_session;

/* What the user says, with a warning where the recording contradicts it; else what the recording
 * shows. */
int csg_session_choose_policy(struct csg_session *session);

/*
 * Stream number stream was decoded further.  EL2 in a Linux host's trace proves VHE, also when it
 * appears late.
 */
void csg_session_reconsider_policy(struct csg_session *session, size_t stream);

/* The attribution has the policy that streams decoded elsewhere have shown. */
void csg_session_resume_policy(struct csg_session *session);

#endif
