/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/turns.h"

#include "suite.h"

#define CPU 2

static const struct csg_kvm_visits nothing_told;

/* A new thread is on the CPU, ten ns after the switch to it began. */
static void switch_to(struct csg_residency *r, uint64_t time, int32_t from, int32_t to)
{
	csg_residency_out(r, CPU, time, from, from, to);
	csg_residency_in(r, CPU, time + 10, to, to, from);
}

/* Threads 11, 0, 22, 0, 33 in turn, each for 100 ns, from 100 to 600. */
static void five_stays(struct csg_residency *r)
{
	static const int32_t tids[] = {11, 0, 22, 0, 33};

	*r = (struct csg_residency){0};
	csg_residency_seen(r, CPU, 100, 11, 11);
	for (int i = 1; i < 5; i++)
		switch_to(r, 100 + 100 * (uint64_t)i, tids[i - 1], tids[i]);
	csg_residency_seen(r, CPU, 600, -1, -1);
}

static void show(struct csg_turns *t, const uint8_t *shown, size_t n)
{
	*t = (struct csg_turns){0};
	for (size_t i = 0; i < n; i++)
		CU_ASSERT_EQUAL(csg_turns_add(t, 10 * i, 10 * i + 10, shown[i]), 0);
}

static bool named(const struct csg_turns *t, const int32_t *tids)
{
	for (size_t i = 0; i < t->count; i++)
		if (t->turns[i].tid != tids[i])
			return false;
	return true;
}

/* Whether turns that show this, in a piece recorded between two times, are of these threads. */
static bool matches(const uint8_t *shown, const int32_t *tids, size_t n, uint64_t from,
		    uint64_t until)
{
	struct csg_residency r;
	struct csg_turns t;
	bool ok;

	five_stays(&r);
	show(&t, shown, n);
	CU_ASSERT_EQUAL(csg_turns_match(&t, 0, &r, &nothing_told, CPU, from, until), 0);
	ok = named(&t, tids);
	csg_turns_fini(&t);
	csg_residency_fini(&r);
	return ok;
}

#define MATCH(shown, tids, from, until)                                                            \
	CU_ASSERT(matches(shown, tids, sizeof(tids) / sizeof(*(tids)), from, until))

static void as_many_turns_as_stays_are_theirs(void)
{
	static const uint8_t shown[5] = {CSG_TURN_APART};
	static const int32_t tids[] = {11, 0, 22, 0, 33};

	MATCH(shown, tids, 100, 600);
}

static void a_piece_may_have_begun_before_its_trace(void)
{
	/* One turn fewer than stays: it is either the first or the last that is missing. */
	static const uint8_t open[4] = {CSG_TURN_APART};
	static const int32_t nobody[] = {-1, -1, -1, -1};
	static const uint8_t shown[4] = {CSG_TURN_APART, CSG_TURN_USER};
	static const int32_t tids[] = {0, 22, 0, 33};

	MATCH(open, nobody, 100, 600);
	MATCH(shown, tids, 100, 600);
	/* Short of the first stay it must be the others. */
	MATCH(open, tids, 215, 600);
}

static void the_idle_thread_runs_neither_guests_nor_user_code(void)
{
	static const uint8_t guest[3] = {CSG_TURN_APART, CSG_TURN_GUEST};
	static const uint8_t user[3] = {CSG_TURN_APART | CSG_TURN_USER, 0, CSG_TURN_USER};
	static const int32_t middle[] = {0, 22, 0}, nobody[] = {-1, 0, -1};

	MATCH(guest, middle, 100, 600);
	MATCH(user, nobody, 100, 600);
}

static void more_turns_than_stays_are_nobodys(void)
{
	static const uint8_t shown[6] = {CSG_TURN_APART};
	static const int32_t nobody[] = {-1, -1, -1, -1, -1, -1};

	MATCH(shown, nobody, 100, 600);
}

static void rows_do_not_overlap(void)
{
	/* Two, lost trace, three: the second row may go on in the stay where the first one ended. */
	static const uint8_t whole[5] = {CSG_TURN_APART, 0, CSG_TURN_APART | CSG_TURN_USER, 0, 0};
	static const int32_t five[] = {-1, -1, 22, 0, 33};
	static const uint8_t same[6] = {
		CSG_TURN_APART, 0, CSG_TURN_USER, CSG_TURN_APART | CSG_TURN_USER, 0, 0};
	static const int32_t six[] = {11, 0, 22, 22, 0, 33};
	static const uint8_t both[4] = {CSG_TURN_APART, 0, CSG_TURN_APART, 0};
	static const int32_t nobody[] = {-1, -1, -1, -1};

	MATCH(whole, five, 100, 600);
	MATCH(same, six, 100, 600);
	MATCH(both, nobody, 100, 600);
}

static void where_records_are_missing_nothing_is_concluded(void)
{
	static const uint8_t shown[1] = {CSG_TURN_APART};
	static const int32_t nobody[] = {-1}, first[] = {11};
	struct csg_residency r;
	struct csg_turns t;

	MATCH(shown, first, 110, 150);
	MATCH(shown, nobody, 90, 150);
	MATCH(shown, nobody, 0, 150);
	MATCH(shown, nobody, 110, 601);
	five_stays(&r);
	csg_residency_lost(&r, CPU);
	csg_residency_seen(&r, CPU, 700, 33, 33);
	show(&t, shown, 1);
	CU_ASSERT_EQUAL(csg_turns_match(&t, 0, &r, &nothing_told, CPU, 550, 700), 0);
	CU_ASSERT(named(&t, nobody));
	csg_turns_fini(&t);
	csg_residency_fini(&r);
}

/* One turn alone, which had begun by a time and lasted to another: whose it is. */
static int32_t whose(uint64_t begun_by, uint64_t lasts_to, bool *unfit)
{
	static const uint8_t shown[1] = {CSG_TURN_APART};
	struct csg_residency r;
	struct csg_turns t;
	int32_t tid;

	five_stays(&r);
	show(&t, shown, 1);
	t.times[0].begun_by = begun_by;
	t.times[0].lasts_to = lasts_to;
	CU_ASSERT_EQUAL(csg_turns_match(&t, 0, &r, &nothing_told, CPU, 100, 600), 0);
	tid = t.turns[0].tid;
	*unfit = t.unfit;
	csg_turns_fini(&t);
	csg_residency_fini(&r);
	return tid;
}

static void a_turn_is_only_where_its_times_let_it_be(void)
{
	bool unfit;

	CU_ASSERT_EQUAL(whose(UINT64_MAX, 0, &unfit), -1);
	CU_ASSERT_EQUAL(whose(350, 350, &unfit), 22);
	CU_ASSERT_EQUAL(whose(299, 250, &unfit), 0);
	CU_ASSERT_FALSE(unfit);
	/* A switch lies between its two records: both threads may be there. */
	CU_ASSERT_EQUAL(whose(305, 305, &unfit), -1);
	CU_ASSERT_EQUAL(whose(300, 300, &unfit), -1);
	CU_ASSERT_EQUAL(whose(299, 350, &unfit), -1);
	CU_ASSERT(unfit);
}

static void found_times_are_those_of_all_stays_that_it_may_be(void)
{
	static const uint8_t shown[4] = {CSG_TURN_APART, CSG_TURN_USER};
	static const uint8_t open[4] = {CSG_TURN_APART};
	struct csg_residency r;
	struct csg_turns t;

	five_stays(&r);
	show(&t, shown, 4);
	CU_ASSERT_EQUAL(csg_turns_match(&t, 0, &r, &nothing_told, CPU, 100, 600), 0);
	CU_ASSERT_EQUAL(t.times[1].from, 310);
	CU_ASSERT_EQUAL(t.times[1].until, 400);
	csg_turns_fini(&t);
	show(&t, open, 4);
	CU_ASSERT_EQUAL(csg_turns_match(&t, 0, &r, &nothing_told, CPU, 100, 600), 0);
	CU_ASSERT_EQUAL(t.times[1].from, 210);
	CU_ASSERT_EQUAL(t.times[1].until, 400);
	csg_turns_fini(&t);
	show(&t, open, 4);
	CU_ASSERT_EQUAL(csg_turns_match(&t, 0, &r, &nothing_told, CPU, 100, 700), 0);
	CU_ASSERT(t.times[1].from > t.times[1].until);
	csg_turns_fini(&t);
	csg_residency_fini(&r);
}

static void too_many_possibilities_are_given_up(void)
{
	const uint8_t shown[1] = {0};
	struct csg_residency r = {0};
	struct csg_turns t = {0};

	csg_residency_seen(&r, CPU, 100, 1, 1);
	for (int i = 1; i < 40000; i++)
		switch_to(&r, 100 + 100 * (uint64_t)i, i % 2 ? 1 : 0, i % 2 ? 0 : 1);
	csg_residency_seen(&r, CPU, 100 + 100 * UINT64_C(40000), -1, -1);
	for (int i = 0; i < 20000; i++)
		csg_turns_add(&t, (uint64_t)i, (uint64_t)i + 1, shown[0]);
	CU_ASSERT_EQUAL(
		csg_turns_match(&t, 0, &r, &nothing_told, CPU, 100, 100 + 100 * UINT64_C(40000)),
		0);
	CU_ASSERT_EQUAL(t.turns[0].tid, -1);
	CU_ASSERT_EQUAL(t.turns[19999].tid, -1);
	csg_turns_fini(&t);
	csg_residency_fini(&r);
}

/* --- what KVM's events tell --- */

#define MINE UINT64_C(0xffff800080001000)
#define YOURS UINT64_C(0xffff800080002000)

/*
 * Two vCPU threads take turns, each for 100 ns, from 100 to 100 + 100 * n.  In each stay there is one
 * exit, where exits has it, or none if that is 0.
 */
static void busy(struct csg_residency *r, struct csg_kvm_visits *v, const uint64_t *exits, int n)
{
	*r = (struct csg_residency){0};
	*v = (struct csg_kvm_visits){0};
	csg_residency_seen(r, CPU, 100, 11, 11);
	for (int i = 0; i < n; i++) {
		int32_t tid = i % 2 ? 22 : 11;
		struct csg_attribution_kvm_event e = {
			.cpu = CPU, .tid = tid, .time = 140 + 100 * (uint64_t)i, .pc = exits[i]};

		if (i)
			switch_to(r, 100 + 100 * (uint64_t)i, i % 2 ? 11 : 22, tid);
		if (!exits[i])
			continue;
		CU_ASSERT_EQUAL(csg_kvm_visits_add(v, &e), 0);
		e.time += 10;
		e.exit = true;
		e.ret = 2;
		CU_ASSERT_EQUAL(csg_kvm_visits_add(v, &e), 0);
	}
	csg_residency_seen(r, CPU, 100 + 100 * (uint64_t)n, -1, -1);
	CU_ASSERT_EQUAL(csg_kvm_visits_seal(v), 0);
}

/* A turn that shows an exit from there, entered there as well; 0: it shows none. */
static void show_exit(struct csg_turns *t, uint8_t shown, uint64_t address)
{
	struct csg_border_sight sight = {.address = address, .entry = true, .known = true};

	CU_ASSERT_EQUAL(address ? csg_turns_sight(t, &sight) : 0, 0);
	sight.entry = false;
	sight.number = 3;
	CU_ASSERT_EQUAL(address ? csg_turns_sight(t, &sight) : 0, 0);
	CU_ASSERT_EQUAL(csg_turns_add(t, 10 * t->count, 10 * t->count + 10, shown), 0);
}

/*
 * Whose the first of four turns with these exits is, where six stays had those: 0, 11 and 22 by turns;
 * *events gets what the events say.
 */
static int32_t first_of(const uint64_t *seen, const uint64_t *told, uint8_t *events)
{
	struct csg_residency r;
	struct csg_kvm_visits v;
	struct csg_turns t = {0};
	int32_t tid;

	busy(&r, &v, told, 6);
	for (int i = 0; i < 4; i++)
		show_exit(&t, i ? 0 : CSG_TURN_APART, seen[i]);
	CU_ASSERT_EQUAL(csg_turns_match(&t, 0, &r, &v, CPU, 100, 700), 0);
	CU_ASSERT_EQUAL(t.sight_count, 0);
	tid = t.turns[0].tid;
	*events = t.turns[0].events;
	for (int i = 1; i < 4; i++)
		CU_ASSERT_EQUAL(t.turns[i].tid, tid < 0 ? -1 : i % 2 ? 33 - tid : tid);
	csg_turns_fini(&t);
	csg_kvm_visits_fini(&v);
	csg_residency_fini(&r);
	return tid;
}

static void exits_that_were_told_name_a_row(void)
{
	static const uint64_t told[] = {MINE, YOURS, MINE, YOURS, MINE, YOURS};
	static const uint64_t seen[] = {YOURS, MINE, YOURS, MINE};
	uint8_t events;

	/* The second stay or, with as good a right, none. */
	CU_ASSERT_EQUAL(first_of(seen, told, &events), 22);
	CU_ASSERT_EQUAL(events, CSG_TURN_EVENTS_AGREE);
}

static void exits_at_one_address_prove_nothing(void)
{
	static const uint64_t told[] = {MINE, MINE, MINE, 0, 0, MINE};
	static const uint64_t seen[] = {MINE, 0, 0, MINE};
	uint8_t events;

	CU_ASSERT_EQUAL(first_of(seen, told, &events), -1);
	CU_ASSERT_EQUAL(events, CSG_TURN_EVENTS_SILENT);
}

static void several_rows_that_show_them_are_nobodys(void)
{
	static const uint64_t told[] = {MINE, MINE, YOURS, MINE, YOURS, MINE};
	static const uint64_t seen[] = {YOURS, MINE, YOURS, MINE};
	static const uint64_t lost[] = {MINE, YOURS, 0, 0, MINE, YOURS};
	uint8_t events;

	/* Only the two in the middle must show: 1 and 2, or 3 and 4. */
	CU_ASSERT_EQUAL(first_of(seen, told, &events), -1);
	CU_ASSERT_EQUAL(events, CSG_TURN_EVENTS_SILENT);
	/* Where no event is left, every row fits. */
	CU_ASSERT_EQUAL(first_of(seen, lost, &events), -1);
	CU_ASSERT_EQUAL(events, CSG_TURN_EVENTS_SILENT);
}

static void exits_that_no_row_shows_are_a_conflict(void)
{
	static const uint64_t told[] = {MINE, YOURS, MINE, YOURS, MINE, YOURS};
	static const uint64_t seen[] = {YOURS, 0, 0, MINE};
	uint8_t events;

	CU_ASSERT_EQUAL(first_of(seen, told, &events), -1);
	CU_ASSERT_EQUAL(events, CSG_TURN_EVENTS_CONTRADICT);
}

/* Where the guest is that leaves in stay i, and where it goes on from: what its thread left before. */
static uint64_t left_at(int i)
{
	return MINE + (uint64_t)i * 16;
}

static uint64_t entered_at(int i)
{
	return left_at(i < 2 ? i : i - 2);
}

#define STAYS 16

/* Sixteen stays of two vCPU threads by turns, each with an exit at an address of its own. */
static void sixteen_stays(struct csg_residency *r, struct csg_kvm_visits *v)
{
	*r = (struct csg_residency){0};
	*v = (struct csg_kvm_visits){0};
	csg_residency_seen(r, CPU, 100, 11, 11);
	for (int i = 0; i < STAYS; i++) {
		struct csg_attribution_kvm_event e = {.cpu = CPU,
						      .tid = i % 2 ? 22 : 11,
						      .time = 140 + 100 * (uint64_t)i,
						      .pc = entered_at(i)};

		if (i)
			switch_to(r, 100 + 100 * (uint64_t)i, i % 2 ? 11 : 22, e.tid);
		CU_ASSERT_EQUAL(csg_kvm_visits_add(v, &e), 0);
		e.time += 10;
		e.exit = true;
		e.ret = 2;
		e.pc = left_at(i);
		CU_ASSERT_EQUAL(csg_kvm_visits_add(v, &e), 0);
	}
	csg_residency_seen(r, CPU, 100 + 100 * STAYS, -1, -1);
	CU_ASSERT_EQUAL(csg_kvm_visits_seal(v), 0);
}

static void sight_visit(struct csg_turns *t, int i)
{
	struct csg_border_sight sight = {.address = entered_at(i), .entry = true, .known = true};

	CU_ASSERT_EQUAL(csg_turns_sight(t, &sight), 0);
	sight = (struct csg_border_sight){.address = left_at(i), .number = 3, .known = true};
	CU_ASSERT_EQUAL(csg_turns_sight(t, &sight), 0);
}

static void a_row_with_a_loss_inside_is_named_on_both_sides(void)
{
	struct csg_residency r;
	struct csg_kvm_visits v;
	struct csg_turns t = {0};

	sixteen_stays(&r, &v);
	/* The end of stay 5, all of 6 and 7, and the beginning of 8 are lost. */
	for (int i = 0; i < STAYS; i++) {
		if (i == 6 || i == 7)
			continue;
		sight_visit(&t, i);
		if (i != 5)
			csg_turns_add(&t, 10 * t.count, 10 * t.count + 10, i ? 0 : CSG_TURN_APART);
	}
	CU_ASSERT_EQUAL_FATAL(t.count, 13);
	CU_ASSERT_EQUAL(csg_turns_match(&t, 0, &r, &v, CPU, 100, 100 + 100 * STAYS), 0);
	for (size_t i = 0; i < t.count; i++) {
		size_t stay = i < 6 ? i : i + 3;
		bool doubt = i >= 4 && i <= 6;

		CU_ASSERT_EQUAL(t.turns[i].tid, doubt ? -1 : stay % 2 ? 22 : 11);
		CU_ASSERT_EQUAL(t.turns[i].events,
				doubt ? CSG_TURN_EVENTS_CONTRADICT : CSG_TURN_EVENTS_AGREE);
	}
	csg_turns_fini(&t);
	csg_kvm_visits_fini(&v);
	csg_residency_fini(&r);
}

/* Stays lost, and the end of the one before them and the beginning of the one behind them. */
static void lose_from(int lost, struct csg_turns *t)
{
	struct csg_residency r;
	struct csg_kvm_visits v;

	sixteen_stays(&r, &v);
	for (int i = 0; i < STAYS; i++) {
		if (i == lost + 1 || i == lost + 2)
			continue;
		sight_visit(t, i);
		if (i != lost)
			csg_turns_add(t, 10 * t->count, 10 * t->count + 10,
				      (uint8_t)(CSG_TURN_GUEST | (i ? 0 : CSG_TURN_APART)));
	}
	CU_ASSERT_EQUAL_FATAL(t->count, STAYS - 3);
	CU_ASSERT_EQUAL(csg_turns_match(t, 0, &r, &v, CPU, 100, 100 + 100 * STAYS), 0);
	csg_kvm_visits_fini(&v);
	csg_residency_fini(&r);
}

/* Wherever it is lost: no turn gets another thread than the stay had that it is of. */
static void no_loss_names_another_thread(void)
{
	size_t named = 0;

	for (int lost = 1; lost < STAYS - 3; lost++) {
		struct csg_turns t = {0};

		lose_from(lost, &t);
		for (int i = 0; i < STAYS - 3; i++) {
			int stay = i <= lost ? i : i + 3, tid = t.turns[i].tid;

			named += tid >= 0;
			/* The one in which it was lost is of both. */
			CU_ASSERT(tid < 0 || i == lost || tid == (stay % 2 ? 22 : 11));
		}
		csg_turns_fini(&t);
	}
	CU_ASSERT(named > 80);
}

static void a_guest_in_a_thread_that_can_run_none_contradicts(void)
{
	const struct csg_vcpu_entry vcpu = {22, 22, 0, CSG_VCPU_BY_NAME, false};
	struct csg_residency r;
	struct csg_kvm_visits v;
	struct csg_vcpus vcpus = {0};
	struct csg_turns t = {.vcpus = &vcpus};

	sixteen_stays(&r, &v);
	CU_ASSERT_EQUAL(csg_vcpus_add(&vcpus, &vcpu), 0);
	for (int i = 0; i < STAYS; i++) {
		bool guest = i == 4 || i % 2;

		sight_visit(&t, i);
		csg_turns_add(&t, 10 * t.count, 10 * t.count + 10,
			      (uint8_t)((i ? 0 : CSG_TURN_APART) | (guest ? CSG_TURN_GUEST : 0)));
	}
	CU_ASSERT_EQUAL(csg_turns_match(&t, 0, &r, &v, CPU, 100, 100 + 100 * STAYS), 0);
	for (size_t i = 0; i < t.count; i++)
		CU_ASSERT_EQUAL(t.turns[i].tid, i == 4 ? -1 : i % 2 ? 22 : 11);
	CU_ASSERT_EQUAL(t.turns[4].events, CSG_TURN_EVENTS_CONTRADICT);
	csg_turns_fini(&t);
	csg_vcpus_fini(&vcpus);
	csg_kvm_visits_fini(&v);
	csg_residency_fini(&r);
}

static void switches_that_events_contradict_name_nobody(void)
{
	static const uint64_t told[] = {MINE, YOURS, MINE, YOURS};

	for (int k = 0; k < 2; k++) {
		struct csg_residency r;
		struct csg_kvm_visits v;
		struct csg_turns t = {0};

		busy(&r, &v, told, 4);
		for (int i = 0; i < 4; i++)
			show_exit(&t, i ? 0 : CSG_TURN_APART, 0);
		CU_ASSERT_EQUAL(csg_turns_match(&t, 0, &r, k ? &v : &nothing_told, CPU, 100, 500),
				0);
		CU_ASSERT_EQUAL(t.turns[0].tid, k ? -1 : 11);
		CU_ASSERT_EQUAL(t.turns[3].events,
				k ? CSG_TURN_EVENTS_CONTRADICT : CSG_TURN_EVENTS_SILENT);
		csg_turns_fini(&t);
		csg_kvm_visits_fini(&v);
		csg_residency_fini(&r);
	}
}

static void a_row_that_events_name_leaves_the_others_what_is_left(void)
{
	static const uint64_t told[] = {MINE, YOURS, MINE, YOURS, MINE, YOURS};
	struct csg_residency r;
	struct csg_kvm_visits v;
	struct csg_turns t = {0};

	busy(&r, &v, told, 6);
	for (int i = 0; i < 4; i++)
		show_exit(&t, i ? 0 : CSG_TURN_APART, i % 2 ? MINE : YOURS);
	/* Behind it one turn: it may go on in the last stay of the row, or be the one behind. */
	show_exit(&t, CSG_TURN_APART, 0);
	show_exit(&t, 0, 0);
	CU_ASSERT_EQUAL(csg_turns_match(&t, 0, &r, &v, CPU, 100, 700), 0);
	CU_ASSERT_EQUAL(t.turns[0].tid, 22);
	CU_ASSERT_EQUAL(t.turns[4].tid, 11);
	CU_ASSERT_EQUAL(t.turns[5].tid, 22);
	CU_ASSERT_EQUAL(t.turns[5].events, CSG_TURN_EVENTS_SILENT);
	csg_turns_fini(&t);
	csg_kvm_visits_fini(&v);
	csg_residency_fini(&r);
}

static void what_lies_inside_a_turn_is_found(void)
{
	static const struct csg_attribution_turn turns[] = {
		{10, 20, 1, 1, 0}, {20, 30, 2, 2, 0}, {40, 50, 3, 3, 0}};

	CU_ASSERT_PTR_EQUAL(csg_turns_find(turns, 3, 11, 20), &turns[0]);
	CU_ASSERT_PTR_EQUAL(csg_turns_find(turns, 3, 21, 22), &turns[1]);
	CU_ASSERT_PTR_EQUAL(csg_turns_find(turns, 3, 41, 50), &turns[2]);
	CU_ASSERT_PTR_NULL(csg_turns_find(turns, 3, 10, 11));
	CU_ASSERT_PTR_NULL(csg_turns_find(turns, 3, 15, 25));
	CU_ASSERT_PTR_NULL(csg_turns_find(turns, 3, 20, 21));
	CU_ASSERT_PTR_NULL(csg_turns_find(turns, 3, 35, 45));
	CU_ASSERT_PTR_NULL(csg_turns_find(turns, 3, 45, 51));
	CU_ASSERT_PTR_NULL(csg_turns_find(NULL, 0, 1, 2));
}

CSG_SUITE(guest, turns, CSG_TEST(as_many_turns_as_stays_are_theirs),
	  CSG_TEST(a_piece_may_have_begun_before_its_trace),
	  CSG_TEST(the_idle_thread_runs_neither_guests_nor_user_code),
	  CSG_TEST(more_turns_than_stays_are_nobodys), CSG_TEST(rows_do_not_overlap),
	  CSG_TEST(where_records_are_missing_nothing_is_concluded),
	  CSG_TEST(a_turn_is_only_where_its_times_let_it_be),
	  CSG_TEST(found_times_are_those_of_all_stays_that_it_may_be),
	  CSG_TEST(too_many_possibilities_are_given_up), CSG_TEST(exits_that_were_told_name_a_row),
	  CSG_TEST(exits_at_one_address_prove_nothing),
	  CSG_TEST(several_rows_that_show_them_are_nobodys),
	  CSG_TEST(exits_that_no_row_shows_are_a_conflict),
	  CSG_TEST(a_row_with_a_loss_inside_is_named_on_both_sides),
	  CSG_TEST(no_loss_names_another_thread),
	  CSG_TEST(a_guest_in_a_thread_that_can_run_none_contradicts),
	  CSG_TEST(switches_that_events_contradict_name_nobody),
	  CSG_TEST(a_row_that_events_name_leaves_the_others_what_is_left),
	  CSG_TEST(what_lies_inside_a_turn_is_found));
