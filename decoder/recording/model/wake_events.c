/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/model/wake_events.h"

static void read_format(struct csg_wake_format *format, const uint8_t *bytes, size_t len,
			const char *name)
{
	struct csg_wake_format found = {.known = true};
	struct csg_tracepoint_format text;

	if (csg_tracing_data_find(bytes, len, "sched", name, &text) &&
	    csg_tracepoint_id(&text, &found.id) && csg_tracepoint_find(&text, "pid", &found.pid) &&
	    found.pid.size == 4 && csg_tracepoint_find(&text, "target_cpu", &found.target_cpu) &&
	    found.target_cpu.size == 4)
		*format = found;
}

void csg_wake_formats_read(struct csg_wake_formats *formats, const uint8_t *bytes, size_t len)
{
	read_format(&formats->waking, bytes, len, "sched_waking");
	read_format(&formats->wakeup, bytes, len, "sched_wakeup");
}

bool csg_wake_read(const struct csg_wake_formats *formats, const char *name, uint64_t config,
		   const uint8_t *raw, size_t len, struct csg_wake *wake)
{
	const bool wakeup = csg_tracepoint_is(name, "sched:sched_wakeup");
	const struct csg_wake_format *format = wakeup ? &formats->wakeup : &formats->waking;
	uint64_t tid, cpu;

	if (!wakeup && !csg_tracepoint_is(name, "sched:sched_waking"))
		return false;
	if (!format->known || format->id != config ||
	    !csg_tracepoint_get(&format->pid, raw, len, &tid) ||
	    !csg_tracepoint_get(&format->target_cpu, raw, len, &cpu) || (int32_t)tid <= 0)
		return false;
	wake->tid = (int32_t)tid;
	/* sched_waking has the CPU that the thread slept on, before another is chosen. */
	wake->cpu = wakeup && (int32_t)cpu >= 0 ? (int32_t)cpu : -1;
	return true;
}
