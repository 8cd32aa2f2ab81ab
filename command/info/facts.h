/* SPDX-License-Identifier: BSD-3-Clause */
/* What csguest info shows, and advice rests on. */
#ifndef COMMAND_INFO_FACTS_H
#define COMMAND_INFO_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/contradiction.h"
#include "csguest/hypervisor.h"
#include "csguest/kernel_file.h"
#include "csguest/recording.h"
#include "info/trace_off.h"

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
	const int32_t *cpus;	   /* only the trace of these is shown (-C) */
	size_t cpu_count;	   /* 0: all */
	int damage;		   /* csg_recording_damage() */
	bool no_trace;		   /* it holds sideband alone, as a guest's does */
	/* Known to who opened a session of it: its contradictions, and itself with records kept. */
	const struct csg_contradiction *contradictions;
	size_t contradiction_count;
	uint64_t contradiction_total;
	struct csg_recording *kept;
	unsigned int nesting; /* enum csg_nesting */
	const struct csg_kernel_file *kernels;
	size_t kernel_count;
	bool guests_given; /* recordings of guests came with it (--guest) */
	struct csg_trace_off off;
	/* Known only to who decoded it. */
	bool zero_timestamps; /* of all timestamps the value is 0 */
};

#endif
