/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/turn_match.h"

#include <stdlib.h>

#include "util/array.h"
#include "csguest/error.h"
#include "guest/turn_events.h"
#include "guest/turn_places.h"

#define TURN_AMBIGUOUS 0x80 /* beside what was shown: it may be several threads' */

static bool add_stay(void *arg, const struct csg_stay *stay)
{
	struct csg_turn_match *m = arg;

	if (!m->stay_count)
		m->stays = stay;
	m->stay_count++;
	return true;
}

static int find_runs(struct csg_turn_match *m, size_t first)
{
	for (size_t i = first; i < m->turns->count; i++) {
		if (i > first && !(m->turns->shown[i] & CSG_TURN_APART)) {
			m->runs[m->run_count - 1].count++;
			continue;
		}
		if (csg_array_grow((void **)&m->runs, m->run_count, &m->run_room, sizeof(*m->runs)))
			return -CSG_E_NO_MEMORY;
		m->runs[m->run_count++] = (struct csg_turn_run){.turn = i, .count = 1};
	}
	return 0;
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
	if (run->split && !run->shows)
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

int csg_turns_match(struct csg_turns *turns, size_t first, const struct csg_residency *residency,
		    const struct csg_kvm_visits *visits, int32_t cpu, uint64_t from, uint64_t until)
{
	struct csg_turn_match m = {.turns = turns, .first = first};
	int err;

	turns->unfit = false;
	m.visits = csg_kvm_visits_on(visits, cpu, &m.visit_count);
	if (from && until && from <= until &&
	    csg_residency_among(residency, cpu, from, until, add_stay, &m)) {
		err = find_runs(&m, first);
		if (!err && m.visit_count)
			err = csg_turn_runs_split(&m);
		turns->unfit =
			!err && !(csg_turn_runs_find_lows(&m) && csg_turn_runs_find_highs(&m));
		if (!err && !turns->unfit) {
			if (!m.visit_count || csg_turn_runs_compare(&m))
				name_runs(&m);
			else
				contradict(turns, first);
		}
	} else {
		err = 0;
	}
	/* Not all places were tried. */
	if (m.work >= CSG_TURN_WORK_MAX) {
		forget_names(turns, first);
		turns->unfit = false;
	}
	free(m.runs);
	turns->sight_count = 0;
	return err;
}
