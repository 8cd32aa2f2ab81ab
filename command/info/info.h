/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a recording holds, what it lacks, and how to record it next time: csguest info.
 */
#ifndef COMMAND_INFO_INFO_H
#define COMMAND_INFO_INFO_H

#include "csguest/contradiction.h"
#include "csguest/hypervisor.h"
#include "csguest/recording.h"
#include "text/out.h"

/* All that is known of a recording, without decoding it. */
struct csg_info {
	const struct csg_recording_info *recording;
	const struct csg_source *sources;
	size_t source_count;
	const struct csg_chunk *chunks; /* by queue, then in order */
	size_t chunk_count;
	size_t dump_count;
	const struct csg_time_conv *time_conv;
	enum csg_hypervisor hypervisor;
	const char *why;	   /* the kind of hypervisor was chosen */
	const char *contradiction; /* what the recording says against it; NULL: nothing */
	int damage;		   /* csg_recording_damage() */
	bool no_trace;		   /* it holds sideband alone, as a guest's does */
	/* Known to who opened a session of it: its contradictions, and itself with records kept. */
	const struct csg_contradiction *contradictions;
	size_t contradiction_count;
	uint64_t contradiction_total;
	struct csg_recording *kept;
	/* Known only to who decoded it. */
	bool guests_given;    /* recordings of guests came with it (--guest) */
	bool zero_timestamps; /* of all timestamps the value is 0 */
};

/* All but the kind of hypervisor.  What info points to is the recording's. */
void csg_info_fill(struct csg_info *info, struct csg_recording *rec);

void csg_info_write(const struct csg_info *info, bool json, struct csg_out *out);

/* A piece of advice: what is missing for a good result, and what to do about it. */
struct csg_advice {
	const char *lack, *remedy;
};

#define CSG_ADVICE_MAX 24

/* What is not known, or not there, that a piece of advice would mend: a set of bits. */
enum csg_open {
	CSG_OPEN_WORLD = 1u << 0,	 /* host or guest */
	CSG_OPEN_VM = 1u << 1,		 /* which guest */
	CSG_OPEN_HOST_THREAD = 1u << 2,	 /* of the host */
	CSG_OPEN_GUEST_THREAD = 1u << 3, /* of a guest */
	CSG_OPEN_TRACE = 1u << 4,	 /* trace was lost */
	CSG_OPEN_ORDER = 1u << 5,	 /* of what ran on several CPUs */
	CSG_OPEN_OTHER = 1u << 6,
};

#define CSG_OPEN_OWNER (CSG_OPEN_WORLD | CSG_OPEN_VM | CSG_OPEN_HOST_THREAD | CSG_OPEN_GUEST_THREAD)
#define CSG_OPEN_ALL (CSG_OPEN_OWNER | CSG_OPEN_TRACE | CSG_OPEN_ORDER | CSG_OPEN_OTHER)

/*
 * Fills at most CSG_ADVICE_MAX of them, most important first; returns how many.  open: only what
 * would mend some of these (set of enum csg_open).
 */
size_t csg_info_advise(const struct csg_info *info, uint32_t open, struct csg_advice *advice);

#endif
