/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/turn_match.h"

#include <stdlib.h>

#include "util/array.h"
#include "csguest/error.h"
#include "guest/turn_breaks.h"
#include "guest/turn_events.h"
#include "guest/turn_places.h"
#include "guest/turn_split.h"

#define TURN_AMBIGUOUS 0x80 /* beside what was shown: it may be several threads' */
#define TORN_MIN 5	    /* turns of a run that is torn at both ends, and is named */

static bool add_stay(void *arg, const struct csg_stay *stay)
{
	struct csg_turn_match *m = arg;

	if (!m->stay_count)
		m->stays = stay;
	m->stay_count++;
	return true;
}

static bool is_break(const struct csg_turn_match *m, size_t i)
{
	return m->turns->shown[i] & CSG_TURN_BREAK;
}

static int find_runs(struct csg_turn_match *m, size_t first)
{
	for (size_t i = first; i < m->turns->count; i++) {
		bool after = i > first && is_break(m, i - 1);
		struct csg_turn_run *last = m->run_count ? &m->runs[m->run_count - 1] : NULL;

		if (is_break(m, i)) {
			if (last && !after)
				last->torn++;
			continue;
		}
		if (last && !after && !(m->turns->shown[i] & CSG_TURN_APART)) {
			last->count++;
			continue;
		}
		if (csg_array_grow((void **)&m->runs, m->run_count, &m->run_capacity,
				   sizeof(*m->runs)))
			return -CSG_E_NO_MEMORY;
		m->runs[m->run_count++] =
			(struct csg_turn_run){.turn = i, .count = 1, .torn = after};
	}
	return 0;
}

static bool is_short(const struct csg_turn_run *run)
{
	return run->torn > 1 && run->count < TORN_MIN;
}

static void name(struct csg_turn_match *m, size_t turn, const struct csg_stay *stay)
{
	struct csg_attribution_turn *t = &m->turns->turns[turn];
	struct csg_turn_time *time = &m->turns->times[turn];

	time->from = stay->from < time->from ? stay->from : time->from;
	time->until = stay->until > time->until ? stay->until : time->until;
	if (m->turns->shown[turn] & TURN_AMBIGUOUS)
		return;
	if (t->tid == CSG_PID_UNKNOWN || t->tid == stay->tid) {
		t->tid = stay->tid;
		t->pid = stay->pid < 0 ? CSG_PID_UNKNOWN : stay->pid;
		return;
	}
	t->pid = t->tid = CSG_PID_UNKNOWN;
	m->turns->shown[turn] |= TURN_AMBIGUOUS;
}

/*
 * Where the events put the run: a switch that was lost silently in the turn beside it leaves its first or
 * last turn another place than the others.
 */
static bool is_apart(struct csg_turn_match *m, const struct csg_turn_run *run, size_t i, size_t at)
{
	if (!run->shows || (i && i + 1 < run->count))
		return false;
	return !csg_turn_shows_nearest(m, run->turn + i, &m->stays[at + i], i);
}

static void name_run(struct csg_turn_match *m, const struct csg_turn_run *run)
{
	/* Nothing but the events says that the run was split where it was damaged. */
	if (run->torn && !run->shows)
		return;
	for (size_t at = run->low; at <= run->high && m->work < CSG_TURN_WORK_MAX; at++) {
		if (!csg_turn_run_fits(m, run, at))
			continue;
		for (size_t i = 0; i < run->count; i++) {
			if (is_apart(m, run, i, at))
				continue;
			name(m, run->turn + i, &m->stays[at + i]);
			if (run->shows)
				m->turns->turns[run->turn + i].events = CSG_TURN_EVENTS_AGREE;
		}
		m->work += run->count;
	}
}

static void forget_names(struct csg_turns *t, size_t first)
{
	for (size_t i = first; i < t->count; i++) {
		t->times[i].from = UINT64_MAX;
		t->times[i].until = 0;
		t->turns[i] = (struct csg_attribution_turn){.begin = t->turns[i].begin,
							    .end = t->turns[i].end,
							    .pid = CSG_PID_UNKNOWN,
							    .tid = CSG_PID_UNKNOWN};
	}
}

/* The records and KVM's events cannot both be right. */
static void contradict(struct csg_turns *t, size_t first)
{
	forget_names(t, first);
	for (size_t i = first; i < t->count; i++)
		t->turns[i].events = CSG_TURN_EVENTS_CONTRADICT;
}

static void name_runs(struct csg_turn_match *m)
{
	for (size_t r = 0; r < m->run_count; r++)
		name_run(m, &m->runs[r]);
}

/* Whether no switch was lost in the break: what is on either side of it lies in one stay, and shows it. */
static bool is_whole(struct csg_turn_match *m, size_t turn)
{
	const struct csg_turn_time *before = &m->turns->times[turn - 1],
				   *after = &m->turns->times[turn + 1];
	struct csg_kvm_proof proof = {.any = false};
	size_t at = 0;

	if (m->turns->turns[turn - 1].events != CSG_TURN_EVENTS_AGREE ||
	    m->turns->turns[turn + 1].events != CSG_TURN_EVENTS_AGREE ||
	    before->from != after->from || before->until != after->until)
		return false;
	while (at < m->stay_count && m->stays[at].from != before->from)
		at++;
	return at < m->stay_count && m->stays[at].until == before->until &&
	       csg_turn_shows_visits(m, turn - 1, turn + 1, &m->stays[at], &proof);
}

/* One of the breaks is where trace was lost; which are not, their neighbours say. */
static void name_breaks(struct csg_turn_match *m)
{
	struct csg_turns *t = m->turns;

	for (size_t i = m->first; i < t->count; i++) {
		if (!is_break(m, i))
			continue;
		if (i > m->first && i + 1 < t->count && is_whole(m, i)) {
			t->times[i] = t->times[i - 1];
			t->turns[i].pid = t->turns[i - 1].pid;
			t->turns[i].tid = t->turns[i - 1].tid;
			t->turns[i].events = CSG_TURN_EVENTS_AGREE;
		} else {
			t->turns[i].events = CSG_TURN_EVENTS_CONTRADICT;
		}
	}
}

/* Runs that are too short to be named where both ends are torn: they may lie anywhere. */
static void drop_short(struct csg_turn_match *m)
{
	size_t kept = 0;

	for (size_t r = 0; r < m->run_count; r++)
		if (!is_short(&m->runs[r]))
			m->runs[kept++] = m->runs[r];
	m->run_count = kept;
}

/*
 * Without the runs that no place shows, as if their trace was lost: the others need the events to be named.
 * False: none of them is left, or none is such a run.
 */
static bool drop_contradicted(struct csg_turn_match *m)
{
	size_t kept = 0, n = m->run_count;

	for (size_t r = 0; r < n; r++) {
		struct csg_turn_run *run = &m->runs[r];

		for (size_t i = 0; run->contradicted && i < run->count; i++)
			m->turns->turns[run->turn + i].events = CSG_TURN_EVENTS_CONTRADICT;
		if (run->contradicted)
			continue;
		run->torn += !run->torn;
		m->runs[kept++] = *run;
	}
	m->run_count = kept;
	return kept && kept < n;
}

/* The places of all runs.  False: they contradict the events, or each other (unfit). */
static bool place_runs(struct csg_turn_match *m)
{
	do {
		m->turns->unfit = !(csg_turn_runs_find_lows(m) && csg_turn_runs_find_highs(m));
		if (m->turns->unfit)
			return false;
		if (!m->visit_count || csg_turn_runs_compare(m))
			return true;
	} while (drop_contradicted(m));
	return false;
}

/* Where trace was lost silently in one of them, the others need the events to be named as well. */
static void tear(struct csg_turn_match *m)
{
	bool any = false;

	for (size_t r = 0; r < m->run_count; r++)
		any |= m->runs[r].torn > 0;
	for (size_t r = 0; any && r < m->run_count; r++)
		m->runs[r].torn += !m->runs[r].torn;
}

/* Finds the threads of turns, of which none is joined any more. */
static int match(struct csg_turn_match *m)
{
	struct csg_turns *turns = m->turns;
	int err = find_runs(m, m->first);

	turns->unfit = false;
	if (!err && m->visit_count)
		err = csg_turn_runs_split(m);
	drop_short(m);
	tear(m);
	if (!err && place_runs(m)) {
		name_runs(m);
		name_breaks(m);
	} else if (!err && !turns->unfit) {
		contradict(turns, m->first);
	}
	/* Not all places were tried. */
	if (m->work >= CSG_TURN_WORK_MAX) {
		forget_names(turns, m->first);
		turns->unfit = false;
	}
	free(m->runs);
	m->runs = NULL;
	m->run_count = m->run_capacity = 0;
	return err;
}

/* Nobody's, all of them: dividing them was of no use. */
static bool is_lost(const struct csg_turns *t, size_t first)
{
	for (size_t i = first; i < t->count; i++)
		if (t->turns[i].events != CSG_TURN_EVENTS_CONTRADICT)
			return t->unfit;
	return true;
}

static int match_divided(struct csg_turn_match *m)
{
	struct csg_turn_breaks breaks = {.added = {.count = 0}};
	bool unfit;
	int err = csg_turn_breaks_join(&breaks, m->turns, m->first);

	if (!err)
		err = match(m);
	unfit = m->turns->unfit;
	if (!err && csg_turn_breaks_divide(&breaks, m->turns, m->first, &err)) {
		err = match(m);
		if (!err && is_lost(m->turns, m->first)) {
			err = csg_turn_breaks_undo(&breaks, m->turns, m->first);
			m->turns->unfit = unfit;
		}
	}
	csg_turn_breaks_fini(&breaks);
	return err;
}

int csg_turns_match(struct csg_turns *turns, size_t first, const struct csg_residency *residency,
		    const struct csg_kvm_visits *visits, int32_t cpu, uint64_t from, uint64_t until)
{
	struct csg_turn_match m = {.turns = turns, .first = first};
	int err = 0;

	turns->unfit = false;
	m.visits = csg_kvm_visits_on(visits, cpu, &m.visit_count);
	if (from && until && from <= until &&
	    csg_residency_among(residency, cpu, from, until, add_stay, &m))
		err = match_divided(&m);
	turns->sight_count = 0;
	return err;
}
