/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/guest_offset.h"

#include <stdlib.h>

#include "util/bisect.h"
#include "csguest/error.h"
#include "guest/facts/vm_times.h"

#define TOGETHER                                                                                   \
	100	/* of a guest's records lie in the host's recording if both were made together */
#define SURE 50 /* exp(-SURE) is the chance that is taken for none */

/* Whether the host's records tell of each of its CPUs who was there: a silent one may have run a
 * vCPU. */
static bool tells_of_all_cpus(const struct csg_facts *facts)
{
	uint32_t cpus = csg_facts_clock(facts, CSG_VM_HOST)->cpus;
	size_t n;

	for (uint32_t cpu = 0; cpu < cpus; cpu++)
		if (!csg_residency_intervals(&facts->residency, (int32_t)cpu, &n) || !n)
			return false;
	return cpus && cpus >= facts->residency.count;
}

static int by_counter(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/*
 * The offsets by which this many of the guest's records lie in what the host recorded; low > high:
 * there are none.
 */
static int suppose_together(const struct csg_vm_times *t, const struct csg_facts_machine *guest,
			    struct csg_offset *within)
{
	size_t n = guest->switches.count;
	uint64_t *counters = malloc((n ? n : 1) * sizeof(*counters)), high;

	*within = (struct csg_offset){1, 0};
	if (!counters)
		return -CSG_E_NO_MEMORY;
	for (size_t i = 0; i < n; i++)
		csg_vm_times_counter(&guest->clock, guest->switches.records[i].time, &counters[i],
				     &high);
	qsort(counters, n, sizeof(*counters), by_counter);
	if (n >= TOGETHER)
		*within = (struct csg_offset){(int64_t)(t->begin - counters[n - TOGETHER]),
					      (int64_t)(t->end - counters[TOGETHER - 1])};
	free(counters);
	return 0;
}

/* Notes that something happened at a counter of the host: what was seen lasted from then, or
 * until. */
static void extend(struct csg_offset_period *seen, const struct csg_vm_times *t, uint64_t counter)
{
	if (counter < t->begin || counter > t->end)
		return;
	seen->from = counter < seen->from ? counter : seen->from;
	seen->until = counter > seen->until ? counter : seen->until;
}

/* What of seen->offset remains.  seen->events is 0 where nothing does. */
static int fit_all(const struct csg_vm_times *t, const struct csg_facts_machine *guest,
		   struct csg_offset_period *seen, size_t *ways)
{
	struct csg_fit fit;
	uint64_t low, high;
	int err = csg_fit_init(&fit, t->times, t->count, &seen->offset);

	for (size_t i = 0; !err && i < guest->switches.count; i++) {
		if (csg_switches_is_lone(&guest->switches, i))
			continue;
		csg_vm_times_counter(&guest->clock, guest->switches.records[i].time, &low, &high);
		err = csg_fit_event(&fit, low, high);
	}
	*ways = fit.count;
	if (!err && csg_fit_offset(&fit, &seen->offset))
		seen->events = fit.events;
	csg_fit_fini(&fit);
	seen->from = UINT64_MAX;
	for (size_t i = 0; i < guest->switches.count; i++) {
		if (csg_switches_is_lone(&guest->switches, i))
			continue;
		csg_vm_times_counter(&guest->clock, guest->switches.records[i].time, &low, &high);
		extend(seen, t, low + (uint64_t)seen->offset.low);
		extend(seen, t, high + (uint64_t)seen->offset.high);
	}
	return err;
}

/* In how many times something of the guest's happened, by this offset. */
static int count_hits(const struct csg_vm_times *t, const struct csg_facts_machine *guest,
		      const struct csg_offset *offset, size_t *hits)
{
	bool *hit = calloc(t->count, sizeof(*hit));
	size_t at;

	*hits = 0;
	if (!hit)
		return -CSG_E_NO_MEMORY;
	for (size_t i = 0; i < guest->switches.count; i++) {
		uint64_t low, high;

		csg_vm_times_counter(&guest->clock, guest->switches.records[i].time, &low, &high);
		if (!csg_vm_times_cover(t, offset, low, high) ||
		    csg_switches_is_lone(&guest->switches, i))
			continue;
		CSG_BISECT(at, t->count, t->times[at].until < low + (uint64_t)offset->low);
		*hits += at < t->count && !hit[at];
		hit[at < t->count ? at : 0] = true;
	}
	free(hit);
	return 0;
}

/*
 * Whether what fits can be no chance.  By chance each of the times in which something happened
 * would be hit with the share of all time that they are, so that all are with exp(-hits * (1 -
 * share)) at most.
 */
static bool is_no_chance(const struct csg_vm_times *t, size_t hits)
{
	uint64_t span = t->end - t->begin, covered = 0;

	for (size_t i = 0; i < t->count; i++)
		if (t->times[i].from >= t->begin && t->times[i].until <= t->end)
			covered += t->times[i].until - t->times[i].from;
	return covered < span && (double)hits * (double)(span - covered) >= SURE * (double)span;
}

/* By the guest's records alone, if the two recordings were made together and fit in one way
 * only. */
static int fit_together(const struct csg_vm_times *t, const struct csg_facts_machine *guest,
			struct csg_offset_period *seen)
{
	size_t ways, hits;
	int err = suppose_together(t, guest, &seen->offset);

	if (err || seen->offset.low > seen->offset.high)
		return err;
	err = fit_all(t, guest, seen, &ways);
	if (!err && seen->events)
		err = count_hits(t, guest, &seen->offset, &hits);
	if (!err && seen->events && (ways != 1 || !is_no_chance(t, hits)))
		seen->events = 0;
	return err;
}

/*
 * What the guest's records tell of its offset, within what is known of it (seen->offset, if known):
 * seen->events is 0 where they tell nothing.
 */
static int fit_known(const struct csg_facts *facts, const struct csg_facts_machine *guest,
		     bool known, struct csg_offset_period *seen)
{
	const struct csg_vm_times_of whose = {.vm = guest->vm, .tid = CSG_PID_UNKNOWN};
	struct csg_vm_times t;
	size_t ways;
	int err;

	if (guest->clock.host_time || guest->switches_lie || !guest->clock.conv.valid ||
	    !facts->clocks.conv.valid || !tells_of_all_cpus(facts))
		return 0;
	err = csg_vm_times_make(facts, &whose, &t);
	if (!err && t.count && t.begin < t.end)
		err = known ? fit_all(&t, guest, seen, &ways) : fit_together(&t, guest, seen);
	free(t.times);
	return err;
}

/* The guest's records agree with what the trace has shown of the offset, or contradict it. */
static void note_offset(struct csg_facts *facts, int agrees, uint64_t counter)
{
	struct csg_assumption_place *place = csg_findings_add(
		&facts->findings, CSG_ASSUMPTION_COUNTER_OFFSET, agrees > 0, agrees != 0);

	if (place)
		place->time = csg_time_conv_to_ns(&facts->clocks.conv, counter);
}

int csg_guest_narrow(struct csg_facts *facts, int32_t vm)
{
	const struct csg_offset_vm *timeline = csg_offsets_of(&facts->clocks.offsets, vm);
	const struct csg_facts_machine *guest = csg_facts_find(facts, vm);
	struct csg_offset_period seen = {.sources = CSG_OFFSET_BY_EVENTS};
	bool shown = csg_facts_shown_offset(facts, vm, &seen.offset);
	int agrees, err;

	if (!guest || (timeline && !shown))
		return 0;
	err = fit_known(facts, guest, shown, &seen);
	if (err || !seen.events || seen.from > seen.until)
		return err;
	err = csg_offsets_compare(&facts->clocks.offsets, vm, &seen, &agrees);
	note_offset(facts, agrees, seen.from);
	return err;
}

int csg_guest_tell_offset(const struct csg_facts *facts, struct csg_facts_machine *guest)
{
	struct csg_offset_period seen = {.events = 0};
	struct csg_offset known;
	bool any = csg_facts_offset(facts, guest->vm, &known);
	int err = 0;

	if (guest->sought_offset)
		return 0;
	guest->sought_offset = true;
	/* Not where there are several offsets, or one that is contradicted. */
	if (any || !csg_offsets_of(&facts->clocks.offsets, guest->vm))
		err = fit_known(facts, guest, false, &seen);
	guest->has_known_offset =
		!err && seen.events &&
		(!any || (seen.offset.low <= known.high && known.low <= seen.offset.high));
	guest->known_offset = seen.offset;
	return err;
}
