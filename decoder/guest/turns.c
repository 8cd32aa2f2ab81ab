/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/turns.h"

#include <stdlib.h>

#include "base/arena.h"
#include "csguest/error.h"

#define WORK_MAX (UINT64_C(1) << 27) /* stays looked at for one piece: about a second */
#define TURN_AMBIGUOUS 0x80	     /* beside what was shown: it may be several threads' */

/* Turns in a row, the first and where its stay may be. */
struct run {
	size_t turn, count;
	size_t low, high;
};

struct matching {
	struct csg_turns *turns;
	const struct csg_stay *stays; /* in a row: nobody else was there */
	size_t stay_count;
	struct run *runs;
	size_t run_count, run_room;
	uint64_t work;
};

void csg_turns_fini(struct csg_turns *t)
{
	free(t->turns);
	free(t->shown);
	*t = (struct csg_turns){0};
}

int csg_turns_add(struct csg_turns *t, uint64_t begin, uint64_t end, uint8_t shown)
{
	if (csg_array_grow((void **)&t->turns, t->count, &t->room, sizeof(*t->turns)) ||
	    csg_array_grow((void **)&t->shown, t->count, &t->shown_room, sizeof(*t->shown)))
		return -CSG_E_NO_MEMORY;
	t->turns[t->count] = (struct csg_attribution_turn){
		.begin = begin, .end = end, .pid = CSG_PID_UNKNOWN, .tid = CSG_PID_UNKNOWN};
	t->shown[t->count++] = shown;
	return 0;
}

/* --- who was there: stays without a hole between them --- */

static bool add_stay(void *arg, const struct csg_stay *stay)
{
	struct matching *m = arg;

	if (!m->stay_count)
		m->stays = stay;
	m->stay_count++;
	return true;
}

static int find_runs(struct matching *m, size_t first)
{
	for (size_t i = first; i < m->turns->count; i++) {
		if (i > first && !(m->turns->shown[i] & CSG_TURN_APART)) {
			m->runs[m->run_count - 1].count++;
			continue;
		}
		if (csg_array_grow((void **)&m->runs, m->run_count, &m->run_room, sizeof(*m->runs)))
			return -CSG_E_NO_MEMORY;
		m->runs[m->run_count++] = (struct run){.turn = i, .count = 1};
	}
	return 0;
}

/* Whether the run can begin with the stay at a place. */
static bool fits(struct matching *m, const struct run *run, size_t at)
{
	for (size_t i = 0; i < run->count; i++) {
		m->work++;
		if (!m->stays[at + i].tid &&
		    (m->turns->shown[run->turn + i] & (CSG_TURN_USER | CSG_TURN_GUEST)))
			return false;
	}
	return true;
}

/* --- the earliest and the latest place of each run --- */

static bool find_lows(struct matching *m)
{
	size_t at = 0;

	for (size_t r = 0; r < m->run_count; r++) {
		struct run *run = &m->runs[r];

		while (at + run->count <= m->stay_count && m->work < WORK_MAX && !fits(m, run, at))
			at++;
		if (at + run->count > m->stay_count || m->work >= WORK_MAX)
			return false;
		run->low = at;
		at += run->count - 1; /* the next may go on in the stay where this one ended */
	}
	return true;
}

static bool find_highs(struct matching *m)
{
	size_t end = m->stay_count;

	for (size_t r = m->run_count; r-- > 0;) {
		struct run *run = &m->runs[r];
		size_t at = end - run->count;

		while (at > run->low && m->work < WORK_MAX && !fits(m, run, at))
			at--;
		if (m->work >= WORK_MAX)
			return false;
		run->high = at;
		end = at + 1;
	}
	return true;
}

/* --- threads --- */

static void name(struct matching *m, size_t turn, const struct csg_stay *stay)
{
	struct csg_attribution_turn *t = &m->turns->turns[turn];

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

static void name_run(struct matching *m, const struct run *run)
{
	for (size_t at = run->low; at <= run->high && m->work < WORK_MAX; at++) {
		if (!fits(m, run, at))
			continue;
		for (size_t i = 0; i < run->count; i++)
			name(m, run->turn + i, &m->stays[at + i]);
		m->work += run->count;
	}
}

static void forget_names(struct csg_turns *t, size_t first)
{
	for (size_t i = first; i < t->count; i++)
		t->turns[i].pid = t->turns[i].tid = CSG_PID_UNKNOWN;
}

int csg_turns_match(struct csg_turns *turns, size_t first, const struct csg_residency *residency,
		    int32_t cpu, uint64_t from, uint64_t until)
{
	struct matching m = {.turns = turns};
	int err;

	if (!from || !until || from > until ||
	    !csg_residency_among(residency, cpu, from, until, add_stay, &m))
		return 0;
	err = find_runs(&m, first);
	if (!err && find_lows(&m) && find_highs(&m))
		for (size_t r = 0; r < m.run_count; r++)
			name_run(&m, &m.runs[r]);
	/* Not all places were tried. */
	if (m.work >= WORK_MAX)
		forget_names(turns, first);
	free(m.runs);
	return err;
}

const struct csg_attribution_turn *csg_turns_find(const struct csg_attribution_turn *turns,
						  size_t n, uint64_t begin, uint64_t end)
{
	size_t low = 0, high = n;

	/* The first that does not end before it. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (turns[middle].end < end)
			low = middle + 1;
		else
			high = middle;
	}
	return low < n && turns[low].begin < begin ? &turns[low] : NULL;
}
