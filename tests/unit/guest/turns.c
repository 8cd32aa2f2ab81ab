/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/turns.h"

#include "suite.h"

#define CPU 2

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
	CU_ASSERT_EQUAL(csg_turns_match(&t, 0, &r, CPU, from, until), 0);
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
	CU_ASSERT_EQUAL(csg_turns_match(&t, 0, &r, CPU, 550, 700), 0);
	CU_ASSERT(named(&t, nobody));
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
	CU_ASSERT_EQUAL(csg_turns_match(&t, 0, &r, CPU, 100, 100 + 100 * UINT64_C(40000)), 0);
	CU_ASSERT_EQUAL(t.turns[0].tid, -1);
	CU_ASSERT_EQUAL(t.turns[19999].tid, -1);
	csg_turns_fini(&t);
	csg_residency_fini(&r);
}

static void what_lies_inside_a_turn_is_found(void)
{
	static const struct csg_attribution_turn turns[] = {
		{10, 20, 1, 1}, {20, 30, 2, 2}, {40, 50, 3, 3}};

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
	  CSG_TEST(too_many_possibilities_are_given_up),
	  CSG_TEST(what_lies_inside_a_turn_is_found));
