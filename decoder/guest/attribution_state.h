/* SPDX-License-Identifier: BSD-3-Clause */
/* What the attribution core and each of its streams keep. */
#ifndef DECODER_GUEST_ATTRIBUTION_STATE_H
#define DECODER_GUEST_ATTRIBUTION_STATE_H

#include "guest/conflicts.h"
#include "guest/divided.h"
#include "guest/facts/agreement.h"
#include "guest/facts/facts.h"
#include "guest/facts/dated_findings.h"
#include "guest/facts/host_clock.h"
#include "guest/facts/vmids.h"
#include "guest/host_alone.h"
#include "guest/losses.h"
#include "guest/pending.h"
#include "guest/time_blocks.h"
#include "guest/time_order.h"
#include "guest/user_places.h"
#include "guest/vcpu_loaded.h"
#include "world/ran.h"
#include "world/world.h"

struct csg_attribution {
	struct csg_facts facts;
	struct csg_landmark_names names;
	bool assumed;
	_Atomic size_t streams; /* that there are */
};

struct csg_attribution_stream {
	struct csg_attribution *attribution;
	struct csg_trace_unit unit;
	struct csg_world_segments world;
	struct csg_ran ran;
	struct csg_pending pending;
	struct csg_host_clock clock;
	struct csg_host_alone alone;
	struct csg_vcpu_loaded loaded;
	struct csg_user_places user_places;
	struct csg_vmids vmids;
	struct csg_agreement agreement; /* of its context IDs with the switch records */
	uint64_t clocked; /* items of pending before this one are known to the clock */
	struct csg_owner clocked_owner; /* of the segment that the next timestamp lies in */
	struct csg_time_order order;	/* of the timestamps up to there */
	struct csg_lost_times lost;	/* the same */
	struct csg_time_blocks blocks;
	bool clocked_open;		 /* that segment is open */
	struct csg_pending_item waiting; /* a segment that waits for the time after it */
	struct csg_guest_span waiting_span;
	bool waits, waits_no_longer;
	struct csg_attribution_piece piece;
	/* By which the host's threads were named in this piece: CONTEXTIDR_EL1 or _EL2; 0: by
	 * none. */
	uint32_t id_evidence;
	bool awaits_entries;
	struct csg_pending_item open_item; /* the open segment that was handed out last */
	struct csg_guest_span open_span;
	uint64_t stamp_index;		/* of the last timestamp */
	uint64_t stamped;		/* of the last one that the clock has */
	struct csg_conflicts conflicts; /* whose times are still to come */
	struct csg_undated undated;	/* findings, the same */
	struct csg_divided divided;	/* the segment that was handed out last, if in pieces */
};

#endif
