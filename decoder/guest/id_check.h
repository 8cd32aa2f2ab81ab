/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks the context IDs of a trace against the host's records, for the signs of another PID
 * namespace (guest/facts/pid_namespace.h).  An ID is known where the switch records have that
 * thread on the CPU while the piece of trace was recorded, a stranger where they have all who were
 * there, and no record of the host's names it at all.  Wrong times or CPUs of records make no
 * strangers, so that they accuse nobody.
 */
#ifndef DECODER_GUEST_ID_CHECK_H
#define DECODER_GUEST_ID_CHECK_H

#include "guest/facts/facts.h"

/* csg_attribution_check_ids(), once the facts are sealed. */
int csg_id_check_event(struct csg_facts *facts, const struct csg_trace_unit *unit,
		       const struct csg_attribution_piece *piece,
		       const struct csg_track_event *event);

/* csg_attribution_settle_ids(), the same. */
int csg_id_check_settle(struct csg_facts *facts);

#endif
