/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/lives.h"

#include <stdlib.h>

#include "util/bisect.h"
#include "csguest/error.h"

static int sight(struct csg_facts_machine *machine, int32_t pid, int32_t tid, uint64_t time)
{
	return pid > 0 && tid > 0 ? csg_thread_sighted(&machine->threads, tid, pid, time) : 0;
}

static int sight_all(struct csg_facts_machine *machine, const struct csg_seen *seen, size_t n)
{
	const struct csg_switch_record *r = machine->switches.records;
	int err = 0;

	for (size_t i = 0; !err && i < machine->switches.count; i++) {
		err = sight(machine, r[i].pid, r[i].tid, r[i].time);
		csg_switches_pass(&machine->switches, i);
	}
	for (size_t i = 0; !err && i < n; i++)
		if (!seen[i].lost)
			err = sight(machine, seen[i].pid, seen[i].tid, seen[i].time);
	return err;
}

/* The time of the last switch record of a CPU before another, or 0. */
static uint64_t last_switch(const struct csg_switches *switches, int32_t cpu, uint64_t time)
{
	const struct csg_switch_record *r = switches->records;
	size_t i;

	CSG_BISECT(i, switches->count, r[i].cpu < cpu || (r[i].cpu == cpu && r[i].time < time));
	return i && r[i - 1].cpu == cpu ? r[i - 1].time : 0;
}

/* One loss; last has when each of the first n CPUs wrote a record of another kind before it. */
static int lose(struct csg_facts_machine *machine, const struct csg_seen *lost,
		const uint64_t *last, size_t n)
{
	uint64_t since = lost->time > CSG_LOST_SLACK_NS ? lost->time - CSG_LOST_SLACK_NS : 0;
	uint64_t from = 0;

	if (lost->cpu >= 0)
		from = last_switch(&machine->switches, lost->cpu, since);
	if (lost->cpu >= 0 && (size_t)lost->cpu < n && last[lost->cpu] > from)
		from = last[lost->cpu];
	return csg_spans_add(&machine->lost_spans, from, lost->time);
}

static size_t cpus_of(const struct csg_seen *seen, size_t n)
{
	int32_t cpus = 0;

	for (size_t i = 0; i < n; i++)
		if (seen[i].cpu >= cpus && seen[i].cpu < CSG_RESIDENCY_CPUS)
			cpus = seen[i].cpu + 1;
	return (size_t)cpus;
}

static int lose_all(struct csg_facts_machine *machine, const struct csg_seen *seen, size_t n)
{
	size_t cpus = cpus_of(seen, n);
	uint64_t *last = calloc(cpus + 1, sizeof(*last));
	int err = last ? 0 : -CSG_E_NO_MEMORY;

	csg_spans_fini(&machine->lost_spans);
	for (size_t i = 0; !err && i < n; i++)
		if (seen[i].lost)
			err = lose(machine, &seen[i], last, cpus);
		else if (seen[i].cpu >= 0 && (size_t)seen[i].cpu < cpus)
			last[seen[i].cpu] = seen[i].time;
	csg_spans_sort(&machine->lost_spans);
	free(last);
	return err;
}

int csg_lives_seal(struct csg_facts_machine *machine, const struct csg_seen *seen, size_t n)
{
	int err = sight_all(machine, seen, n);

	return err ? err : lose_all(machine, seen, n);
}
