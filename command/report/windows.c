/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/windows.h"

#include <math.h>

#define TIMED_MIN 30 /* windows with two timestamps that a rate takes */
#define LONGEST                                                                                    \
	UINT64_C(10000000000) /* ns between two timestamps of a window: above, a clock was set */

bool csg_windows_end_at(const struct csg_windows *w, const struct csg_element *e)
{
	if (e->kind != CSG_ELEMENT_GAP)
		return false;
	if (e->gap == CSG_GAP_TRACE_ON)
		return !w->hyp_untraced || e->el != CSG_EL2;
	return e->gap == CSG_GAP_BUFFER || e->gap == CSG_GAP_TRUNCATED;
}

/* Eighths of log2, from 2^-16 instructions per ns on. */
static unsigned int rate_class(uint64_t n, uint64_t t)
{
	const double at = t ? 8 * (log2((double)n / (double)t) + 16) : CSG_WINDOWS_RATES - 1;

	return (unsigned int)fmin(fmax(at, 0), CSG_WINDOWS_RATES - 1);
}

static void add_interval(struct csg_windows *w, uint64_t n, uint64_t t)
{
	w->now.timed = true;
	w->sums.between += n;
	w->sums.time += t;
	if (n)
		w->sums.rates[rate_class(n, t)] += n;
}

/* Two timestamps tell how long it was if they are of one counter, or both in the host's time. */
static void on_timestamp(struct csg_windows *w, const struct csg_element *e)
{
	const struct csg_owner *owner = w->lookup->owner(w->lookup->arg, e->owner);
	const int32_t vm = owner->world == CSG_WORLD_GUEST ? owner->vm : CSG_VM_HOST;
	const uint64_t stamp = w->source.time(w->source.arg, e->timestamp);
	uint64_t from = 0, to = 0;

	if (w->now.host_stamp && e->start) {
		from = w->now.host_stamp;
		to = e->start;
	} else if (w->now.stamp && w->now.stamp_vm == vm && vm >= 0) {
		from = w->now.stamp;
		to = stamp;
	}
	if (from && to >= from && to - from < LONGEST)
		add_interval(w, w->now.executed - w->now.begun, to - from);
	w->now.begun = w->now.executed;
	w->now.stamp = stamp;
	w->now.host_stamp = e->start;
	w->now.stamp_vm = vm;
}

void csg_windows_add(struct csg_windows *w, const struct csg_element *e)
{
	switch (e->kind) {
	case CSG_ELEMENT_RANGE:
	case CSG_ELEMENT_RANGE_NOPATH:
		w->now.executed += e->instructions;
		break;
	case CSG_ELEMENT_RANGES:
		w->now.executed += e->timestamp;
		break;
	case CSG_ELEMENT_TIMESTAMP:
		on_timestamp(w, e);
		break;
	case CSG_ELEMENT_GAP:
		w->now.incomplete |= e->gap != CSG_GAP_GUEST && !csg_windows_end_at(w, e);
		break;
	default:
		break;
	}
}

void csg_windows_end(struct csg_windows *w)
{
	w->sums.windows++;
	w->sums.instructions += w->now.executed;
	w->sums.timed += w->now.timed;
	w->sums.incomplete += w->now.incomplete;
	w->now = (struct csg_window_so_far){0};
}

/* ns of an instruction, as most between two timestamps take. */
static double usual_time(const struct csg_windows_sums *s)
{
	uint64_t below = 0;

	for (int i = 0; i < CSG_WINDOWS_RATES; i++) {
		below += s->rates[i];
		if (2 * below >= s->between)
			return exp2(16 - (i + 0.5) / 8);
	}
	return 0;
}

double csg_windows_factor(const struct csg_windows *w, uint64_t time)
{
	const struct csg_windows_sums *s = &w->sums;
	double in_windows;

	if (s->timed < TIMED_MIN || !s->between || !time)
		return 0;
	in_windows = (double)s->time + (double)(s->instructions - s->between) * usual_time(s);
	return fmax((double)time / in_windows, 1);
}

bool csg_windows_are_timeless(const struct csg_windows *w, size_t n)
{
	return w->sums.windows >= n + TIMED_MIN && 10 * w->sums.between < 9 * w->sums.instructions;
}

double csg_windows_share(const struct csg_windows *w, uint64_t time)
{
	const double factor = csg_windows_factor(w, time);

	return factor > 0 ? 1 / factor : 0;
}

void csg_windows_sums_join(struct csg_windows_sums *s, const struct csg_windows_sums *others)
{
	s->instructions += others->instructions;
	s->between += others->between;
	s->time += others->time;
	s->windows += others->windows;
	s->timed += others->timed;
	s->incomplete += others->incomplete;
	for (int i = 0; i < CSG_WINDOWS_RATES; i++)
		s->rates[i] += others->rates[i];
}
