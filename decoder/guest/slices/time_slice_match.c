/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/slices/time_slice_match.h"

#include <stdlib.h>

#include "util/array.h"
#include "csguest/error.h"
#include "guest/slices/time_slice_breaks.h"
#include "guest/slices/time_slice_events.h"
#include "guest/slices/time_slice_places.h"
#include "guest/slices/time_slice_split.h"

#define SLICE_AMBIGUOUS 0x80 /* beside what was shown: it may be several threads' */
#define DISPROOFS 8	     /* times that a row is matched anew */
#define TORN_MIN 5	     /* time slices of a run that is torn at both ends, and is named */

static bool add_interval(void *arg, const struct csg_on_cpu *interval)
{
	struct csg_time_slice_match *m = arg;

	if (!m->interval_count)
		m->intervals = interval;
	m->interval_count++;
	return true;
}

static bool is_break(const struct csg_time_slice_match *m, size_t i)
{
	return m->slices->shown[i] & CSG_TIME_SLICE_BREAK;
}

/* Trace may be, or was, lost in it: it is in no run. */
static bool is_aside(const struct csg_time_slice_match *m, size_t i)
{
	return m->slices->shown[i] & (CSG_TIME_SLICE_BREAK | CSG_TIME_SLICE_TORN);
}

static int find_runs(struct csg_time_slice_match *m, size_t first)
{
	for (size_t i = first; i < m->slices->count; i++) {
		bool after = i > first && is_aside(m, i - 1);
		struct csg_time_slice_run *last = m->run_count ? &m->runs[m->run_count - 1] : NULL;

		if (is_aside(m, i)) {
			if (last && !after)
				last->torn++;
			continue;
		}
		if (last && !after && !(m->slices->shown[i] & CSG_TIME_SLICE_APART)) {
			last->count++;
			continue;
		}
		if (csg_array_grow((void **)&m->runs, m->run_count, &m->run_capacity,
				   sizeof(*m->runs)))
			return -CSG_E_NO_MEMORY;
		m->runs[m->run_count++] =
			(struct csg_time_slice_run){.slice = i, .count = 1, .torn = after};
	}
	return 0;
}

static bool is_short(const struct csg_time_slice_run *run)
{
	return run->torn > 1 && run->count < TORN_MIN;
}

static void name(struct csg_time_slice_match *m, size_t slice, const struct csg_on_cpu *interval)
{
	struct csg_attribution_time_slice *t = &m->slices->slices[slice];
	struct csg_time_slice_time *time = &m->slices->times[slice];

	time->from = interval->from < time->from ? interval->from : time->from;
	time->until = interval->until > time->until ? interval->until : time->until;
	if (m->slices->shown[slice] & SLICE_AMBIGUOUS)
		return;
	if (t->tid == CSG_PID_UNKNOWN || t->tid == interval->tid) {
		t->tid = interval->tid;
		t->pid = interval->pid < 0 ? CSG_PID_UNKNOWN : interval->pid;
		return;
	}
	t->pid = t->tid = CSG_PID_UNKNOWN;
	m->slices->shown[slice] |= SLICE_AMBIGUOUS;
}

/*
 * Where the events put the run: a switch that was lost silently in the time slice beside it leaves
 * its first or last time slice another place than the others.
 */
static bool is_apart(struct csg_time_slice_match *m, const struct csg_time_slice_run *run, size_t i,
		     size_t at)
{
	if (!run->shows || (i && i + 1 < run->count))
		return false;
	return !csg_time_slice_shows_nearest(m, run->slice + i, &m->intervals[at + i], i);
}

static void name_run(struct csg_time_slice_match *m, const struct csg_time_slice_run *run)
{
	/* Nothing but the events says that the run was split where it was damaged. */
	if (run->torn && !run->shows)
		return;
	for (size_t at = run->low; at <= run->high && m->work < CSG_TIME_SLICE_WORK_MAX; at++) {
		if (!csg_time_slice_run_fits(m, run, at))
			continue;
		for (size_t i = 0; i < run->count; i++) {
			if (is_apart(m, run, i, at))
				continue;
			name(m, run->slice + i, &m->intervals[at + i]);
			if (run->shows)
				m->slices->slices[run->slice + i].events =
					CSG_TIME_SLICE_EVENTS_AGREE;
		}
		m->work += run->count;
	}
}

static void forget_names(struct csg_time_slices *t, size_t first)
{
	for (size_t i = first; i < t->count; i++) {
		t->times[i].from = UINT64_MAX;
		t->times[i].until = 0;
		t->slices[i] = (struct csg_attribution_time_slice){.begin = t->slices[i].begin,
								   .end = t->slices[i].end,
								   .pid = CSG_PID_UNKNOWN,
								   .tid = CSG_PID_UNKNOWN};
	}
}

/* The records and KVM's events cannot both be right. */
static void contradict(struct csg_time_slices *t, size_t first)
{
	forget_names(t, first);
	for (size_t i = first; i < t->count; i++)
		t->slices[i].events = CSG_TIME_SLICE_EVENTS_CONTRADICT;
}

static void name_runs(struct csg_time_slice_match *m)
{
	for (size_t r = 0; r < m->run_count; r++)
		name_run(m, &m->runs[r]);
}

/*
 * Whether no switch was lost in the break: what is on either side of it lies in one interval, and
 * shows it.
 */
static bool is_whole(struct csg_time_slice_match *m, size_t slice)
{
	const struct csg_time_slice_time *before = &m->slices->times[slice - 1],
					 *after = &m->slices->times[slice + 1];
	struct csg_kvm_proof proof = {.any = false};
	size_t at = 0;

	if (m->slices->slices[slice - 1].events != CSG_TIME_SLICE_EVENTS_AGREE ||
	    m->slices->slices[slice + 1].events != CSG_TIME_SLICE_EVENTS_AGREE ||
	    before->from != after->from || before->until != after->until)
		return false;
	while (at < m->interval_count && m->intervals[at].from != before->from)
		at++;
	return at < m->interval_count && m->intervals[at].until == before->until &&
	       csg_time_slice_shows_visits(m, slice - 1, slice + 1, &m->intervals[at], &proof);
}

/* One of the breaks is where trace was lost; which are not, their neighbours say. */
static void name_breaks(struct csg_time_slice_match *m)
{
	struct csg_time_slices *t = m->slices;

	for (size_t i = m->first; i < t->count; i++) {
		if (!is_break(m, i))
			continue;
		if (i > m->first && i + 1 < t->count && is_whole(m, i)) {
			t->times[i] = t->times[i - 1];
			t->slices[i].pid = t->slices[i - 1].pid;
			t->slices[i].tid = t->slices[i - 1].tid;
			t->slices[i].events = CSG_TIME_SLICE_EVENTS_AGREE;
		} else {
			t->slices[i].events = CSG_TIME_SLICE_EVENTS_CONTRADICT;
		}
	}
}

/* Runs that are too short to be named where both ends are torn: they may lie anywhere. */
static void drop_short(struct csg_time_slice_match *m)
{
	size_t kept = 0;

	for (size_t r = 0; r < m->run_count; r++)
		if (!is_short(&m->runs[r]))
			m->runs[kept++] = m->runs[r];
	m->run_count = kept;
}

/*
 * Without the runs that no place shows, as if their trace was lost: the others need the events to
 * be named.  False: none of them is left, or none is such a run.
 */
static bool drop_contradicted(struct csg_time_slice_match *m)
{
	size_t kept = 0, n = m->run_count;

	for (size_t r = 0; r < n; r++) {
		struct csg_time_slice_run *run = &m->runs[r];

		for (size_t i = 0; run->contradicted && i < run->count; i++)
			m->slices->slices[run->slice + i].events = CSG_TIME_SLICE_EVENTS_CONTRADICT;
		if (run->contradicted)
			continue;
		run->torn += !run->torn;
		m->runs[kept++] = *run;
	}
	m->run_count = kept;
	return kept && kept < n;
}

/* The places of all runs.  False: they contradict the events, or each other (unfit). */
static bool place_runs(struct csg_time_slice_match *m)
{
	do {
		m->slices->unfit =
			!(csg_time_slice_runs_find_lows(m) && csg_time_slice_runs_find_highs(m));
		if (m->slices->unfit)
			return false;
		if (!m->visit_count || csg_time_slice_runs_compare(m))
			return true;
	} while (drop_contradicted(m));
	return false;
}

/* Where trace was lost silently in one of them, the others need the events to be named as well. */
static void tear(struct csg_time_slice_match *m)
{
	bool any = false;

	for (size_t r = 0; r < m->run_count; r++)
		any |= m->runs[r].torn > 0;
	for (size_t r = 0; any && r < m->run_count; r++)
		m->runs[r].torn += !m->runs[r].torn;
}

/* Finds the threads of time slices, of which none is joined any more, whatever their code says. */
static int match_once(struct csg_time_slice_match *m)
{
	struct csg_time_slices *slices = m->slices;
	int err = find_runs(m, m->first);

	slices->unfit = false;
	if (!err && m->visit_count)
		err = csg_time_slice_runs_split(m);
	drop_short(m);
	tear(m);
	if (!err && place_runs(m)) {
		name_runs(m);
		name_breaks(m);
	} else if (!err && !slices->unfit) {
		contradict(slices, m->first);
	}
	/* Not all places were tried. */
	if (m->work >= CSG_TIME_SLICE_WORK_MAX) {
		forget_names(slices, m->first);
		slices->unfit = false;
	}
	free(m->runs);
	m->runs = NULL;
	m->run_count = m->run_capacity = 0;
	return err;
}

/* The time slice was named: its code shows that it is not all of that process. */
static int disprove(struct csg_time_slices *t, size_t i, bool *any)
{
	const struct csg_attribution_time_slice *slice = &t->slices[i];
	const struct csg_user_code_page *page;

	if (!(t->shown[i] & CSG_TIME_SLICE_USER) || slice->tid <= 0 || slice->pid <= 0)
		return 0;
	page = csg_user_code_disproof(&t->code, slice->begin, slice->end, slice->pid);
	if (!page)
		return 0;
	if (csg_array_grow((void **)&t->disproofs, t->disproof_count, &t->disproof_capacity,
			   sizeof(*t->disproofs)))
		return -CSG_E_NO_MEMORY;
	t->disproofs[t->disproof_count++] = (struct csg_time_slice_disproof){
		page->index, page->address, slice->pid, slice->tid};
	t->shown[i] |= CSG_TIME_SLICE_TORN;
	*any = true;
	return 0;
}

static int disprove_all(struct csg_time_slice_match *m, bool *any)
{
	int err = 0;

	*any = false;
	for (size_t i = m->first; m->slices->code.count && !err && i < m->slices->count; i++)
		err = disprove(m->slices, i, any);
	return err;
}

/* None is named any more. */
static void begin_again(struct csg_time_slices *t, size_t first)
{
	forget_names(t, first);
	for (size_t i = first; i < t->count; i++)
		t->shown[i] &= (uint8_t)~SLICE_AMBIGUOUS;
}

/* Those that their code disproves are left out, until it disproves none, or too often. */
static int match(struct csg_time_slice_match *m)
{
	bool disproved;
	int err;

	m->slices->disproof_count = 0;
	for (unsigned int i = 0;; i++) {
		err = match_once(m);
		if (!err)
			err = disprove_all(m, &disproved);
		if (err || !disproved)
			return err;
		begin_again(m->slices, m->first);
		if (i == DISPROOFS)
			return 0;
	}
}

/* Nobody's, all of them: dividing them was of no use. */
static bool is_lost(const struct csg_time_slices *t, size_t first)
{
	for (size_t i = first; i < t->count; i++)
		if (t->slices[i].events != CSG_TIME_SLICE_EVENTS_CONTRADICT)
			return t->unfit;
	return true;
}

static int match_divided(struct csg_time_slice_match *m)
{
	struct csg_time_slice_breaks breaks = {.added = {.count = 0}};
	bool unfit;
	int err = csg_time_slice_breaks_join(&breaks, m->slices, m->first);

	if (!err)
		err = match(m);
	unfit = m->slices->unfit;
	if (!err && csg_time_slice_breaks_divide(&breaks, m->slices, m->first, &err)) {
		err = match(m);
		if (!err && is_lost(m->slices, m->first)) {
			err = csg_time_slice_breaks_undo(&breaks, m->slices, m->first);
			m->slices->unfit = unfit;
		}
	}
	csg_time_slice_breaks_fini(&breaks);
	return err;
}

int csg_time_slices_match(struct csg_time_slices *slices, size_t first,
			  const struct csg_residency *residency,
			  const struct csg_kvm_visits *visits, int32_t cpu, uint64_t from,
			  uint64_t until)
{
	struct csg_time_slice_match m = {.slices = slices, .first = first};
	int err = 0;

	slices->unfit = false;
	m.visits = csg_kvm_visits_on(visits, cpu, &m.visit_count);
	if (from && until && from <= until &&
	    csg_residency_among(residency, cpu, from, until, add_interval, &m))
		err = match_divided(&m);
	slices->sight_count = 0;
	csg_user_code_forget(&slices->code);
	return err;
}
