/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/turns.h"

#include <stdlib.h>

#include "util/array.h"
#include "util/bisect.h"
#include "csguest/error.h"

#define WORK_MAX (UINT64_C(1) << 27) /* stays looked at for one piece: about a second */
#define TURN_AMBIGUOUS 0x80	     /* beside what was shown: it may be several threads' */

/* Turns in a row, the first and where its stay may be. */
struct run {
	size_t turn, count;
	size_t low, high;
	bool shows, contradicted; /* KVM's events agree with it, or do not */
	bool split;		  /* of a longer one, which had no place */
};

struct matching {
	struct csg_turns *turns;
	const struct csg_stay *stays; /* in a row: nobody else was there */
	size_t stay_count;
	struct run *runs;
	size_t run_count, run_room;
	const struct csg_kvm_visit *visits; /* on this CPU */
	size_t visit_count;
	size_t first; /* turn */
	uint64_t work;
};

void csg_turns_fini(struct csg_turns *t)
{
	free(t->turns);
	free(t->shown);
	free(t->times);
	free(t->sights);
	free(t->seen);
	*t = (struct csg_turns){0};
}

int csg_turns_add(struct csg_turns *t, uint64_t begin, uint64_t end, uint8_t shown)
{
	if (csg_array_grow((void **)&t->turns, t->count, &t->room, sizeof(*t->turns)) ||
	    csg_array_grow((void **)&t->shown, t->count, &t->shown_room, sizeof(*t->shown)) ||
	    csg_array_grow((void **)&t->times, t->count, &t->time_room, sizeof(*t->times)) ||
	    csg_array_grow((void **)&t->seen, t->count, &t->seen_room, sizeof(*t->seen)))
		return -CSG_E_NO_MEMORY;
	t->seen[t->count] = t->sight_count;
	t->turns[t->count] = (struct csg_attribution_turn){
		.begin = begin, .end = end, .pid = CSG_PID_UNKNOWN, .tid = CSG_PID_UNKNOWN};
	t->times[t->count] = (struct csg_turn_time){.begun_by = UINT64_MAX, .from = UINT64_MAX};
	t->shown[t->count++] = shown;
	return 0;
}

int csg_turns_sight(struct csg_turns *t, const struct csg_border_sight *sight)
{
	if (csg_array_grow((void **)&t->sights, t->sight_count, &t->sight_room, sizeof(*t->sights)))
		return -CSG_E_NO_MEMORY;
	t->sights[t->sight_count++] = *sight;
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

/*
 * Whether the turn can have been the stay by its times.  Its switches lie in the joints on either side, of
 * which those outside the row are not known.
 */
static bool is_then(const struct matching *m, size_t turn, size_t at)
{
	const struct csg_turn_time *time = &m->turns->times[turn];

	return (!at || m->stays[at - 1].until <= time->begun_by) &&
	       (at + 1 == m->stay_count || m->stays[at + 1].from >= time->lasts_to);
}

/* Whether the turn can have been the stay. */
static bool may_be(struct matching *m, size_t turn, size_t at)
{
	m->work++;
	return is_then(m, turn, at) &&
	       (m->stays[at].tid || !(m->turns->shown[turn] & (CSG_TURN_USER | CSG_TURN_GUEST)));
}

/* Whether the run can begin with the stay at a place. */
static bool fits(struct matching *m, const struct run *run, size_t at)
{
	for (size_t i = 0; i < run->count; i++)
		if (!may_be(m, run->turn + i, at + i))
			return false;
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

/* --- what KVM's events tell --- */

/* The first visit that was not over before time. */
static size_t visit_from(const struct matching *m, uint64_t time)
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
static size_t told_in(const struct matching *m, const struct csg_stay *stay, size_t *n)
{
	size_t first = visit_from(m, stay->from);

	for (*n = 0; first + *n < m->visit_count && m->visits[first + *n].entered <= stay->until;)
		++*n;
	return first;
}

/* The first sight that the turn shows. */
static size_t sight_from(const struct matching *m, size_t turn)
{
	return turn > m->first ? m->turns->seen[turn - 1] : 0;
}

/* Whether the turn shows the visits that were told in the stay. */
static bool shows_visits(struct matching *m, size_t turn, const struct csg_stay *stay,
			 struct csg_kvm_proof *proof)
{
	const struct csg_turns *t = m->turns;
	size_t begin = sight_from(m, turn), n, first = told_in(m, stay, &n);

	m->work += n + t->seen[turn] - begin;
	return !is_plain(stay, &m->visits[first], n) ||
	       csg_kvm_visits_show(&m->visits[first], n, &t->sights[begin], t->seen[turn] - begin,
				   proof);
}

/*
 * The first or the last turn of a run may be a part of its stay only.  But where a guest shows in it, so
 * does, of what events tell of the stay, the last exit of the first turn, or the first entry of the last.
 */
static bool shows_nearest(struct matching *m, size_t turn, const struct csg_stay *stay,
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
static bool run_shows(struct matching *m, const struct run *run, size_t at,
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
static bool may_run(const struct matching *m, size_t turn, size_t at)
{
	const struct csg_vcpus *vcpus = m->turns->vcpus;

	return !(m->turns->shown[turn] & CSG_TURN_GUEST) || !vcpus || !vcpus->count ||
	       csg_vcpus_may_run(vcpus, m->stays[at].pid, m->stays[at].tid, CSG_VM_UNKNOWN);
}

/* Whether turn i of the run can have been the stay, and shows what events say of it. */
static bool is_like(struct matching *m, const struct run *run, size_t i, size_t at)
{
	struct csg_kvm_proof proof = {.any = false};

	return may_be(m, run->turn + i, at) && may_run(m, run->turn + i, at) &&
	       (!i || i + 1 == run->count || shows_visits(m, run->turn + i, &m->stays[at], &proof));
}

/* How many turns of the run have a place, from its first on. */
static size_t from_first(struct matching *m, const struct run *run)
{
	size_t most = 0;

	for (size_t at = 0; at < m->stay_count && m->work < WORK_MAX; at++) {
		size_t n = 0;

		while (n < run->count && at + n < m->stay_count && is_like(m, run, n, at + n))
			n++;
		most = n > most ? n : most;
	}
	return most;
}

/* The same up to its last. */
static size_t to_last(struct matching *m, const struct run *run)
{
	size_t most = 0;

	for (size_t at = 0; at < m->stay_count && m->work < WORK_MAX; at++) {
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
static bool split(struct matching *m, const struct run *run, struct run *before, struct run *after)
{
	size_t head = from_first(m, run), tail = to_last(m, run), low = run->count - tail;

	if (head + tail + 1 < run->count || !low || head == run->count)
		return false;
	*before = (struct run){.turn = run->turn, .count = low - 1, .split = true};
	*after = (struct run){
		.turn = run->turn + head + 1, .count = run->count - head - 1, .split = true};
	for (size_t i = low - 1; i <= head; i++)
		m->turns->turns[run->turn + i].events = CSG_TURN_EVENTS_CONTRADICT;
	return true;
}

static int add_run(struct matching *m, const struct run *run)
{
	if (!run->count)
		return 0;
	if (csg_array_grow((void **)&m->runs, m->run_count, &m->run_room, sizeof(*m->runs)))
		return -CSG_E_NO_MEMORY;
	m->runs[m->run_count++] = *run;
	return 0;
}

/* Runs without a place, of which the events tell. */
static int split_runs(struct matching *m)
{
	struct run *runs = m->runs, before, after;
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
static void hold_run(struct matching *m, struct run *run)
{
	size_t places = 0, shown = 0, place = 0;
	bool proved = false;

	for (size_t at = run->low; at <= run->high && m->work < WORK_MAX; at++) {
		struct csg_kvm_proof proof;

		if (!fits(m, run, at))
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

/* What is left for the other runs where the events have put some of them. */
static bool hold_runs(struct matching *m)
{
	bool contradicted = false;
	size_t end = m->stay_count;

	for (size_t r = 0; r < m->run_count; r++) {
		hold_run(m, &m->runs[r]);
		contradicted |= m->runs[r].contradicted;
	}
	for (size_t r = 1; r < m->run_count; r++) {
		const struct run *before = &m->runs[r - 1];
		struct run *run = &m->runs[r];

		if (run->low < before->low + before->count - 1)
			run->low = before->low + before->count - 1;
	}
	for (size_t r = m->run_count; r-- > 0;) {
		struct run *run = &m->runs[r];

		if (run->low + run->count > end)
			return false;
		if (run->high + run->count > end)
			run->high = end - run->count;
		contradicted |= run->low > run->high;
		end = run->high + 1;
	}
	return !contradicted;
}

/* --- threads --- */

static void name(struct matching *m, size_t turn, const struct csg_stay *stay)
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
static bool is_apart(struct matching *m, const struct run *run, size_t i, size_t at)
{
	if (!run->shows || (i && i + 1 < run->count))
		return false;
	return !shows_nearest(m, run->turn + i, &m->stays[at + i], i);
}

static void name_run(struct matching *m, const struct run *run)
{
	/* Nothing but the events says that the run was split where it was damaged. */
	if (run->split && !run->shows)
		return;
	for (size_t at = run->low; at <= run->high && m->work < WORK_MAX; at++) {
		if (!fits(m, run, at))
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

static void name_runs(struct matching *m)
{
	for (size_t r = 0; r < m->run_count; r++)
		name_run(m, &m->runs[r]);
}

int csg_turns_match(struct csg_turns *turns, size_t first, const struct csg_residency *residency,
		    const struct csg_kvm_visits *visits, int32_t cpu, uint64_t from, uint64_t until)
{
	struct matching m = {.turns = turns, .first = first};
	int err;

	turns->unfit = false;
	m.visits = csg_kvm_visits_on(visits, cpu, &m.visit_count);
	if (from && until && from <= until &&
	    csg_residency_among(residency, cpu, from, until, add_stay, &m)) {
		err = find_runs(&m, first);
		if (!err && m.visit_count)
			err = split_runs(&m);
		turns->unfit = !err && !(find_lows(&m) && find_highs(&m));
		if (!err && !turns->unfit) {
			if (!m.visit_count || hold_runs(&m))
				name_runs(&m);
			else
				contradict(turns, first);
		}
	} else {
		err = 0;
	}
	/* Not all places were tried. */
	if (m.work >= WORK_MAX) {
		forget_names(turns, first);
		turns->unfit = false;
	}
	free(m.runs);
	turns->sight_count = 0;
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
