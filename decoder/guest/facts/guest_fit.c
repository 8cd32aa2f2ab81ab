/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/guest_fit.h"

#include <stdlib.h>

#include "util/bisect.h"
#include "guest/facts/vm_times.h"
#include "guest/facts/vmm_life.h"

#define EVENTS_MAX 5000 /* looked at; more would prove no more */
#define EVENTS_ENOUGH 8 /* that lie inside the host's recording: fewer may fit by chance */
#define ANY_CPU (-1)
#define INJECTED_NS 1000   /* that what was injected may be off: conversion and rounding */
#define LIFE_SLACK_NS 1000 /* conversion and rounding of a FORK's or an EXIT's time */

/* How far the records' counter lags the host's: injected ones are claimed not to be. */
static bool offset_of(const struct csg_facts *facts, int32_t vm,
		      const struct csg_attribution_clock *clock, struct csg_offset *offset)
{
	const struct csg_time_conv *conv = &facts->clocks.conv;
	int64_t off;

	if (!clock->host_time)
		return csg_facts_any_offset(facts, vm, offset);
	off = (int64_t)(csg_time_conv_to_counter(conv, conv->zero + INJECTED_NS) -
			csg_time_conv_to_counter(conv, conv->zero));
	*offset = (struct csg_offset){-off, off};
	return true;
}

/* What was recorded on cpu, by which records are in order then; ANY_CPU: on all. */
static int try(const struct csg_vm_times *t, const struct csg_attribution_clock *clock,
	       const struct csg_switches *switches, int32_t cpu, const struct csg_offset *offset,
	       enum csg_guest_fits *fits)
{
	struct csg_offset result;
	struct csg_fit fit;
	size_t inside = 0, i = 0;
	int err = csg_fit_init(&fit, t->times, t->count, offset);

	if (cpu != ANY_CPU)
		CSG_BISECT(i, switches->count, switches->records[i].cpu < cpu);
	for (; !err && i < switches->count && inside < EVENTS_MAX; i++) {
		uint64_t low, high;

		csg_vm_times_counter(clock, switches->records[i].time, &low, &high);
		if (cpu != ANY_CPU && switches->records[i].cpu != cpu)
			break;
		if (!csg_vm_times_cover(t, offset, low, high) || csg_switches_is_lone(switches, i))
			continue;
		inside++;
		err = csg_fit_event(&fit, low, high);
	}
	if (!err && !csg_fit_offset(&fit, &result))
		*fits = CSG_GUEST_FITS_NOT;
	else if (!err && inside >= EVENTS_ENOUGH)
		*fits = CSG_GUEST_FITS;
	csg_fit_fini(&fit);
	return err;
}

/* The records of each of n CPUs, or of all together. */
static int fit(const struct csg_facts *facts, const struct csg_vm_times_of *whose,
	       const struct csg_attribution_clock *clock, const struct csg_switches *switches,
	       const int32_t *cpus, size_t n, enum csg_guest_fits *fits)
{
	struct csg_offset offset;
	struct csg_vm_times t;
	int err;

	for (size_t i = 0; i < n; i++)
		fits[i] = CSG_GUEST_FIT_UNKNOWN;
	if (!clock->conv.valid || !facts->clocks.conv.valid ||
	    !offset_of(facts, whose->vm, clock, &offset))
		return 0;
	err = csg_vm_times_make(facts, whose, &t);
	for (size_t i = 0; !err && i < n && t.count && t.begin < t.end; i++)
		err = try(&t, clock, switches, cpus[i], &offset, &fits[i]);
	free(t.times);
	return err;
}

/* Whether something was recorded before the VM's process began, or after it had ended. */
static bool is_outlived(const struct csg_facts *facts, int32_t vm,
			const struct csg_attribution_clock *clock,
			const struct csg_switches *switches)
{
	const struct csg_time_conv *conv = &facts->clocks.conv;
	const struct csg_facts_machine *host = csg_facts_find(facts, CSG_VM_HOST);
	const struct csg_vmm_life life =
		host ? csg_vmm_life(host, vm) : (struct csg_vmm_life){0, UINT64_MAX};
	struct csg_offset offset;
	uint64_t first = 0, last = UINT64_MAX, low, high;

	if (!clock->conv.valid || !conv->valid || !offset_of(facts, vm, clock, &offset))
		return false;
	if (life.from > LIFE_SLACK_NS)
		first = csg_time_conv_to_counter(conv, life.from - LIFE_SLACK_NS);
	if (life.until < UINT64_MAX - LIFE_SLACK_NS)
		last = csg_time_conv_to_counter(conv, life.until + LIFE_SLACK_NS);
	for (size_t i = 0; i < switches->count; i++) {
		if (csg_switches_is_lone(switches, i))
			continue;
		csg_vm_times_counter(clock, switches->records[i].time, &low, &high);
		if ((int64_t)high + offset.high < (int64_t)first ||
		    (last < INT64_MAX && (int64_t)low + offset.low > (int64_t)last))
			return true;
	}
	return false;
}

int csg_guest_fit(const struct csg_facts *facts, int32_t vm,
		  const struct csg_attribution_clock *clock, const struct csg_switches *switches,
		  enum csg_guest_fits *fits)
{
	const struct csg_vm_times_of whose = {.vm = vm, .tid = CSG_PID_UNKNOWN};
	const int32_t all = ANY_CPU;

	if (is_outlived(facts, vm, clock, switches)) {
		*fits = CSG_GUEST_FITS_NOT;
		return 0;
	}
	return fit(facts, &whose, clock, switches, &all, 1, fits);
}

int csg_guest_fit_cpus(const struct csg_facts *facts, const struct csg_facts_machine *guest,
		       int32_t tid, const int32_t *cpus, size_t n, enum csg_guest_fits *fits)
{
	const struct csg_vm_times_of whose = {.vm = guest->vm, .tid = tid, .unlisted = true};

	return fit(facts, &whose, &guest->clock, &guest->switches, cpus, n, fits);
}
