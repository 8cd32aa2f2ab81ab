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

#include "base/contradictions.h"
#include "base/findings.h"
#include "csguest/attribution.h"
#include "csguest/diag.h"
#include "csguest/element.h"
#include "csguest/hypervisor.h"
#include "csguest/owner.h"
#include "csguest/session.h"
#include "guest/facts/residency.h"
#include "guest/facts/vcpus.h"
#include "guest/untraced.h"
#include "image/image.h"
#include "recording/recording.h"
#include "session/open/guests.h"
#include "session/open/offsets.h"
#include "session/session_setup.h"

struct csg_settings;

/* The session takes the settings that its setup points into (session/settings.h). */
void csg_session_keep(struct csg_session *session, struct csg_settings *settings);

int csg_session_begin(struct csg_session **session, const struct csg_session_setup *options,
		      const struct csg_diag_sink *sink);
/* The streams, by number. */
const struct csg_stream_info *csg_session_streams(const struct csg_session *session, size_t *n);

struct csg_image *csg_session_image(struct csg_session *session);

/* What is known of the vCPU that a host thread runs, as of now; NULL: it runs none. */
const struct csg_vcpu_entry *csg_session_vcpu(const struct csg_session *session, int32_t tid);

/* The vCPU threads known so far, by TID. */
const struct csg_vcpu_entry *csg_session_vcpus(const struct csg_session *session, size_t *n);

/* What guests recorded narrows the offsets: when all of the trace has been read,
 * csg_guest_narrow(). */
int csg_session_narrow_offsets(struct csg_session *session);

/* The counter offsets found so far: csg_registry_offsets(). */
int csg_session_offsets(const struct csg_session *session, struct csg_vm_offset **vms, size_t *n);

/* Who was on each CPU when, by the host's records. */
const struct csg_residency *csg_session_residency(const struct csg_session *session);

/* Number of who had cpu from a host time (ns) on, and until when: csg_untraced_at().
 * -CSG_E_NO_MEMORY. */
int64_t csg_session_untraced_owner(struct csg_session *session, int32_t cpu,
				   enum csg_untraced_gap gap, uint64_t from, uint64_t *until);

/* The recordings that guests made themselves. */
const struct csg_guests *csg_session_guests(const struct csg_session *session);

/* What was found of assumptions, as far as it was decoded. */
const struct csg_findings *csg_session_findings(const struct csg_session *session);

/* Where sources contradict each other, as far as it was decoded. */
const struct csg_contradictions *csg_session_contradictions(const struct csg_session *session);

#endif
