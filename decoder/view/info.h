/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a recording holds, what it lacks, and how to record it next time: csguest info.
 */
#ifndef DECODER_VIEW_INFO_H
#define DECODER_VIEW_INFO_H

#include "csguest/hypervisor.h"
#include "recording/recording.h"
#include "view/out.h"

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
	const char *why; /* the kind of hypervisor was chosen */
	int damage;	 /* csg_recording_damage() */
	bool no_trace;	 /* it holds sideband alone, as a guest's does */
};

void csg_info_write(const struct csg_info *info, bool json, struct csg_out *out);

/* A piece of advice: what is missing for a good result, and what to do about it. */
struct csg_advice {
	const char *lack, *remedy;
};

#define CSG_ADVICE_MAX 24

/* Fills at most CSG_ADVICE_MAX of them, most important first; returns how many. */
size_t csg_info_advise(const struct csg_info *info, struct csg_advice *advice);

#endif
