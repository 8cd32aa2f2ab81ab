/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/switched.h"

#include "csguest/machine.h"

bool csg_switched_knows(struct csg_session *session)
{
	const struct csg_recording_info *info = csg_recording_info(csg_session_recording(session));

	return info->has_switch && !info->per_thread;
}

/* Trace of a CPU is recorded with its switches. */
static int cover(struct csg_waits *waits, const struct csg_recording *recording)
{
	const size_t n = csg_recording_source_count(recording);
	int err = 0;

	for (size_t i = 0; !err && i < n; i++)
		err = csg_waits_covers(waits, csg_recording_source(recording, i)->cpu);
	return err;
}

static int32_t number_of(void *arg, int32_t pid, uint64_t time)
{
	return csg_session_process_number(arg, pid, time);
}

int csg_switched_read(struct csg_waits *waits, const struct csg_decode *d,
		      const struct csg_halts *halts)
{
	struct csg_session *session = d->session;
	const struct csg_recording *recording = csg_session_recording(session);
	const size_t n = csg_sideband_event_count(recording);
	struct csg_sideband_event event;
	int err = csg_waits_init(waits, csg_vcpu_at(session, 0), csg_vcpu_count(session));

	csg_waits_keep_in(waits, d->options.tmpdir);
	csg_waits_number(waits, number_of, session);
	if (!err)
		err = cover(waits, recording);
	for (size_t i = 0; !err && i < n; i++) {
		err = csg_sideband_event(recording, i, &event, sizeof(event));
		if (!err)
			err = csg_waits_add(waits, &event);
	}
	if (!err)
		err = csg_waits_finish(waits, csg_recording_info(recording)->cpus_online);
	if (!err && halts)
		csg_halts_tell(halts, waits);
	return csg_disk_memory_tell(&waits->memory, &d->sink, "states of vCPUs", err);
}
