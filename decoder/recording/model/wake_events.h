/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The scheduler's tracepoints of wake-ups (include/trace/events/sched.h), as perf record takes
 * samples of them:
 *
 *	sched:sched_waking	pid: a thread that slept is about to be made able to run
 *	sched:sched_wakeup	pid: it is; target_cpu: the CPU on whose run queue it stands
 *
 * Both name the thread by its TID; the sample is of the thread that woke it.  Where pid and
 * target_cpu lie in the raw bytes the kernel that recorded them says
 * (recording/model/tracing_data.h).
 */
#ifndef DECODER_RECORDING_MODEL_WAKE_EVENTS_H
#define DECODER_RECORDING_MODEL_WAKE_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "recording/model/tracing_data.h"

struct csg_wake_format {
	bool known;
	uint64_t id; /* perf_event_attr.config */
	struct csg_tracepoint_field pid, target_cpu;
};

struct csg_wake_formats {
	struct csg_wake_format waking, wakeup;
};

struct csg_wake {
	int32_t tid;
	int32_t cpu; /* that it is to run on; -1: not stated */
};

/* Takes what tracing data says of them; what it does not say stays unknown. */
void csg_wake_formats_read(struct csg_wake_formats *formats, const uint8_t *bytes, size_t len);

/*
 * What raw says, of a sample of the event with this name (EVENT_DESC's, with modifiers; may be
 * NULL) and config.  False: it is neither of the two, or nothing says how its bytes are to be read.
 */
bool csg_wake_read(const struct csg_wake_formats *formats, const char *name, uint64_t config,
		   const uint8_t *raw, size_t len, struct csg_wake *wake);

#endif
