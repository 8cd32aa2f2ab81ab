/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A session decodes one recording: it opens the recording, builds the images, makes
 * a stream of each source, finds the owners (scan, world) ahead of the flow and hands out
 * elements with their owner, stream by stream or merged in time order.
 */
#ifndef DECODER_SESSION_SESSION_H
#define DECODER_SESSION_SESSION_H

#include <stddef.h>
#include <stdint.h>

#include "csguest/attribution.h"
#include "csguest/diag.h"
#include "csguest/element.h"
#include "csguest/hypervisor.h"
#include "csguest/owner.h"
#include "csguest/session.h"
#include "guest/untraced.h"
#include "image/image.h"
#include "recording/recording.h"
#include "session/open/guests.h"
#include "session/session_setup.h"

struct csg_settings;

/* The session takes the settings that its setup points into (session/settings.h). */
void csg_session_keep(struct csg_session *session, struct csg_settings *settings);

int csg_session_begin(struct csg_session **session, const struct csg_session_setup *options,
		      const struct csg_diag_sink *sink);
/* The streams, by number. */
const struct csg_stream_info *csg_session_streams(const struct csg_session *session, size_t *n);

struct csg_image *csg_session_image(struct csg_session *session);

/* What is known of owners, vCPUs and guests (guest/answers.h), as of now. */
struct csg_attribution *csg_session_attribution(const struct csg_session *session);

/* Number of who had cpu from a host time (ns) on, and until when: csg_untraced_at().
 * -CSG_E_NO_MEMORY. */
int64_t csg_session_untraced_owner(struct csg_session *session, int32_t cpu,
				   enum csg_untraced_gap gap, uint64_t from, uint64_t *until);

/* The recordings that guests made themselves. */
const struct csg_guests *csg_session_guests(const struct csg_session *session);

#endif
