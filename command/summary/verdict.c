/* SPDX-License-Identifier: BSD-3-Clause */
#include "summary/verdict.h"

const char *csg_verdict_name(enum csg_verdict verdict)
{
	static const char *const names[] = {
		[CSG_VERDICT_RUNNING] = "running", [CSG_VERDICT_HOST] = "in the host",
		[CSG_VERDICT_HALTED] = "halted",   [CSG_VERDICT_STARVED] = "starved",
		[CSG_VERDICT_ASLEEP] = "asleep",   [CSG_VERDICT_BLOCKED] = "blocked",
		[CSG_VERDICT_UNKNOWN] = "unknown", [CSG_VERDICT_SPINNING] = "spinning",
	};

	return names[verdict];
}

static uint64_t at_most(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* A switch takes time, in which the trace shows a thread that has left by its record. */
static struct csg_verdict_times by_states(uint64_t guest, uint64_t host,
					  const struct csg_wait_sums *waits)
{
	const uint64_t running = waits->time[CSG_WAIT_RUNNING];
	const uint64_t no_record = waits->time[CSG_WAIT_UNKNOWN];
	struct csg_verdict_times t = {{0}};

	guest = at_most(guest, running + no_record);
	host = at_most(host, running + no_record - guest);
	t.part[CSG_VERDICT_RUNNING] = guest;
	t.part[CSG_VERDICT_HOST] = host;
	t.part[CSG_VERDICT_HALTED] = waits->time[CSG_WAIT_HALTED];
	t.part[CSG_VERDICT_STARVED] =
		waits->time[CSG_WAIT_PREEMPTED] + waits->time[CSG_WAIT_RUNNABLE];
	t.part[CSG_VERDICT_ASLEEP] = waits->time[CSG_WAIT_ASLEEP];
	t.part[CSG_VERDICT_BLOCKED] = waits->time[CSG_WAIT_BLOCKED];
	t.part[CSG_VERDICT_UNKNOWN] =
		waits->time[CSG_WAIT_OFF] + running + no_record - guest - host;
	return t;
}

struct csg_verdict_times csg_verdict_times(uint64_t guest, uint64_t host,
					   const struct csg_wait_sums *waits, uint64_t span)
{
	struct csg_verdict_times t = {{0}};

	if (waits)
		return by_states(guest, host, waits);
	t.part[CSG_VERDICT_RUNNING] = guest;
	t.part[CSG_VERDICT_HOST] = host;
	t.part[CSG_VERDICT_UNKNOWN] = guest + host < span ? span - guest - host : 0;
	return t;
}

uint64_t csg_verdict_span(const struct csg_verdict_times *times)
{
	uint64_t span = 0;

	for (int part = 0; part < CSG_VERDICT_PARTS; part++)
		span += times->part[part];
	return span;
}

enum csg_verdict csg_verdict_of(const struct csg_verdict_times *times, bool spins)
{
	enum csg_verdict most = CSG_VERDICT_UNKNOWN;

	for (int part = 0; part < CSG_VERDICT_PARTS; part++)
		if (times->part[part] > times->part[most])
			most = (enum csg_verdict)part;
	return most == CSG_VERDICT_RUNNING && spins ? CSG_VERDICT_SPINNING : most;
}
