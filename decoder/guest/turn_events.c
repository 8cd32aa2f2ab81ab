/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/turn_events.h"

#include <stdlib.h>

#include "util/array.h"
#include "util/bisect.h"
#include "csguest/error.h"

/* The first visit that was not over before time. */
static size_t visit_from(const struct csg_turn_match *m, uint64_t time)
{
	size_t i;

	CSG_BISECT(i, m->visit_count, m->visits[i].left < time);
	return i;
}

/* Whether all that was told in the stay can be asked of the turn. */
static bool is_plain(const struct csg_stay *stay, const struct csg_kvm_visit *visits, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (visits[i].doubtful || visits[i].tid != stay->tid ||
		    visits[i].entered < stay->from || visits[i].left > stay->until)
			return false;
	return true;
}

/* The first visit that was told in the stay; *n gets how many there are. */
static size_t told_in(const struct csg_turn_match *m, const struct csg_stay *stay, size_t *n)
{
	size_t first = visit_from(m, stay->from);

	for (*n = 0; first + *n < m->visit_count && m->visits[first + *n].entered <= stay->until;)
		++*n;
	return first;
}

/* The first sight that the turn shows. */
static size_t sight_from(const struct csg_turn_match *m, size_t turn)
{
	return turn > m->first ? m->turns->seen[turn - 1] : 0;
}

/* Whether the turn shows the visits that were told in the stay. */
static bool shows_visits(struct csg_turn_match *m, size_t turn, const struct csg_stay *stay,
			 struct csg_kvm_proof *proof)
{
	const struct csg_turns *t = m->turns;
	size_t begin = sight_from(m, turn), n, first = told_in(m, stay, &n);

	m->work += n + t->seen[turn] - begin;
	return !is_plain(stay, &m->visits[first], n) ||
	       csg_kvm_visits_show(&m->visits[first], n, &t->sights[begin], t->seen[turn] - begin,
				   proof);
}

bool csg_turn_shows_nearest(struct csg_turn_match *m, size_t turn, const struct csg_stay *stay,
			    bool is_last)
{
	const struct csg_turns *t = m->turns;
	size_t begin = sight_from(m, turn), n, first = told_in(m, stay, &n);

	m->work += n + t->seen[turn] - begin;
	if (!n || !(t->shown[turn] & CSG_TURN_GUEST) || !is_plain(stay, &m->visits[first], n))
		return true;
	return csg_kvm_visit_shows(&m->visits[is_last ? first : first + n - 1], is_last,
				   &t->sights[begin], t->seen[turn] - begin);
}

/* Whether all turns of the run between two switches do so where it begins with the stay at a place. */
static bool run_shows(struct csg_turn_match *m, const struct csg_turn_run *run, size_t at,
		      struct csg_kvm_proof *proof)
{
	*proof = (struct csg_kvm_proof){.any = false};
	for (size_t i = 1; i + 1 < run->count; i++)
		if (!shows_visits(m, run->turn + i, &m->stays[at + i], proof))
			return false;
	return true;
}

/* --- a run that has no place: a switch is missing in it, and nothing says so --- */

/* Whether a guest in the turn, if there is one, can have run in the stay, as far as is known. */
static bool may_run(const struct csg_turn_match *m, size_t turn, size_t at)
{
	const struct csg_vcpus *vcpus = m->turns->vcpus;

	return !(m->turns->shown[turn] & CSG_TURN_GUEST) || !vcpus || !vcpus->count ||
	       csg_vcpus_may_run(vcpus, m->stays[at].pid, m->stays[at].tid, CSG_VM_UNKNOWN);
}

/* Whether turn i of the run can have been the stay, and shows what events say of it. */
static bool is_like(struct csg_turn_match *m, const struct csg_turn_run *run, size_t i, size_t at)
{
	struct csg_kvm_proof proof = {.any = false};

	return csg_turn_may_be(m, run->turn + i, at) && may_run(m, run->turn + i, at) &&
	       (!i || i + 1 == run->count || shows_visits(m, run->turn + i, &m->stays[at], &proof));
}

/* How many turns of the run have a place, from its first on. */
static size_t from_first(struct csg_turn_match *m, const struct csg_turn_run *run)
{
	size_t most = 0;

	for (size_t at = 0; at < m->stay_count && m->work < CSG_TURN_WORK_MAX; at++) {
		size_t n = 0;

		while (n < run->count && at + n < m->stay_count && is_like(m, run, n, at + n))
			n++;
		most = n > most ? n : most;
	}
	return most;
}

/* The same up to its last. */
static size_t to_last(struct csg_turn_match *m, const struct csg_turn_run *run)
{
	size_t most = 0;

	for (size_t at = 0; at < m->stay_count && m->work < CSG_TURN_WORK_MAX; at++) {
		size_t n = 0;

		while (n < run->count && n <= at && is_like(m, run, run->count - 1 - n, at - n))
			n++;
		most = n > most ? n : most;
	}
	return most;
}

/*
 * Where one turn of the run is not what it seems, those before it have a place, and so have those after
 * it.  It is one of those between: nobody's.  False: all have one, or there is more than one such turn.
 */
static bool split(struct csg_turn_match *m, const struct csg_turn_run *run,
		  struct csg_turn_run *before, struct csg_turn_run *after)
{
	size_t head = from_first(m, run), tail = to_last(m, run), low = run->count - tail;

	if (head + tail + 1 < run->count || !low || head == run->count)
		return false;
	*before = (struct csg_turn_run){.turn = run->turn, .count = low - 1, .split = true};
	*after = (struct csg_turn_run){
		.turn = run->turn + head + 1, .count = run->count - head - 1, .split = true};
	for (size_t i = low - 1; i <= head; i++)
		m->turns->turns[run->turn + i].events = CSG_TURN_EVENTS_CONTRADICT;
	return true;
}

static int add_run(struct csg_turn_match *m, const struct csg_turn_run *run)
{
	if (!run->count)
		return 0;
	if (csg_array_grow((void **)&m->runs, m->run_count, &m->run_room, sizeof(*m->runs)))
		return -CSG_E_NO_MEMORY;
	m->runs[m->run_count++] = *run;
	return 0;
}

int csg_turn_runs_split(struct csg_turn_match *m)
{
	struct csg_turn_run *runs = m->runs, before, after;
	size_t n = m->run_count;
	int err = 0;

	m->runs = NULL;
	m->run_count = m->run_room = 0;
	for (size_t r = 0; r < n && !err; r++) {
		if (!split(m, &runs[r], &before, &after)) {
			err = add_run(m, &runs[r]);
			continue;
		}
		err = add_run(m, &before);
		if (!err)
			err = add_run(m, &after);
	}
	free(runs);
	return err;
}

/* Holds all places of the run against the events; they may leave one. */
static void compare_run(struct csg_turn_match *m, struct csg_turn_run *run)
{
	size_t places = 0, shown = 0, place = 0;
	bool proved = false;

	for (size_t at = run->low; at <= run->high && m->work < CSG_TURN_WORK_MAX; at++) {
		struct csg_kvm_proof proof;

		if (!csg_turn_run_fits(m, run, at))
			continue;
		places++;
		if (!run_shows(m, run, at, &proof))
			continue;
		shown++;
		place = at;
		proved = proof.differ;
	}
	run->contradicted = places && !shown;
	run->shows = shown == 1 && proved;
	if (run->shows)
		run->low = run->high = place;
}

bool csg_turn_runs_compare(struct csg_turn_match *m)
{
	bool contradicted = false;
	size_t end = m->stay_count;

	for (size_t r = 0; r < m->run_count; r++) {
		compare_run(m, &m->runs[r]);
		contradicted |= m->runs[r].contradicted;
	}
	for (size_t r = 1; r < m->run_count; r++) {
		const struct csg_turn_run *before = &m->runs[r - 1];
		struct csg_turn_run *run = &m->runs[r];

		if (run->low < before->low + before->count - 1)
			run->low = before->low + before->count - 1;
	}
	for (size_t r = m->run_count; r-- > 0;) {
		struct csg_turn_run *run = &m->runs[r];

		if (run->low + run->count > end)
			return false;
		if (run->high + run->count > end)
			run->high = end - run->count;
		contradicted |= run->low > run->high;
		end = run->high + 1;
	}
	return !contradicted;
}
