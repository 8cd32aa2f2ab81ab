/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/slices/time_slice_places.h"

#include "five_intervals.h"

static void a_piece_may_have_begun_before_its_trace(void)
{
	/* One time slice fewer than intervals: it is either the first or the last that is
	 * missing. */
	static const uint8_t open[4] = {CSG_TIME_SLICE_APART};
	static const int32_t nobody[] = {-1, -1, -1, -1};
	static const uint8_t shown[4] = {CSG_TIME_SLICE_APART, CSG_TIME_SLICE_USER};
	static const int32_t tids[] = {0, 22, 0, 33};

	MATCH(open, nobody, 100, 600);
	MATCH(shown, tids, 100, 600);
	/* Short of the first interval it must be the others. */
	MATCH(open, tids, 215, 600);
}

static void the_idle_thread_runs_neither_guests_nor_user_code(void)
{
	static const uint8_t guest[3] = {CSG_TIME_SLICE_APART, CSG_TIME_SLICE_GUEST};
	static const uint8_t user[3] = {CSG_TIME_SLICE_APART | CSG_TIME_SLICE_USER, 0,
					CSG_TIME_SLICE_USER};
	static const int32_t middle[] = {0, 22, 0}, nobody[] = {-1, 0, -1};

	MATCH(guest, middle, 100, 600);
	MATCH(user, nobody, 100, 600);
}

static void rows_do_not_overlap(void)
{
	/* Two, lost trace, three: the second row may go on in the interval where the first one
	 * ended. */
	static const uint8_t whole[5] = {CSG_TIME_SLICE_APART, 0,
					 CSG_TIME_SLICE_APART | CSG_TIME_SLICE_USER, 0, 0};
	static const int32_t five[] = {-1, -1, 22, 0, 33};
	static const uint8_t same[6] = {CSG_TIME_SLICE_APART,
					0,
					CSG_TIME_SLICE_USER,
					CSG_TIME_SLICE_APART | CSG_TIME_SLICE_USER,
					0,
					0};
	static const int32_t six[] = {11, 0, 22, 22, 0, 33};
	static const uint8_t both[4] = {CSG_TIME_SLICE_APART, 0, CSG_TIME_SLICE_APART, 0};
	static const int32_t nobody[] = {-1, -1, -1, -1};

	MATCH(whole, five, 100, 600);
	MATCH(same, six, 100, 600);
	MATCH(both, nobody, 100, 600);
}

/* One time slice alone, which had begun by a time and lasted to another: whose it is. */
static int32_t whose(uint64_t begun_by, uint64_t lasts_to, bool *unfit)
{
	static const uint8_t shown[1] = {CSG_TIME_SLICE_APART};
	struct csg_residency r;
	struct csg_time_slices t;
	int32_t tid;

	five_intervals(&r);
	show(&t, shown, 1);
	t.times[0].begun_by = begun_by;
	t.times[0].lasts_to = lasts_to;
	CU_ASSERT_EQUAL(csg_time_slices_match(&t, 0, &r, &nothing_reported, CPU, 100, 600), 0);
	tid = t.slices[0].tid;
	*unfit = t.unfit;
	csg_time_slices_fini(&t);
	csg_residency_fini(&r);
	return tid;
}

static void a_slice_is_only_where_its_times_let_it_be(void)
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

static void too_many_possibilities_are_given_up(void)
{
	const uint8_t shown[1] = {0};
	struct csg_residency r = {0};
	struct csg_time_slices t = {0};

	csg_residency_seen(&r, CPU, 100, 1, 1);
	for (int i = 1; i < 40000; i++)
		switch_to(&r, 100 + 100 * (uint64_t)i, i % 2 ? 1 : 0, i % 2 ? 0 : 1);
	csg_residency_seen(&r, CPU, 100 + 100 * UINT64_C(40000), -1, -1);
	for (int i = 0; i < 20000; i++)
		csg_time_slices_add(&t, (uint64_t)i, (uint64_t)i + 1, shown[0]);
	CU_ASSERT_EQUAL(csg_time_slices_match(&t, 0, &r, &nothing_reported, CPU, 100,
					      100 + 100 * UINT64_C(40000)),
			0);
	CU_ASSERT_EQUAL(t.slices[0].tid, -1);
	CU_ASSERT_EQUAL(t.slices[19999].tid, -1);
	csg_time_slices_fini(&t);
	csg_residency_fini(&r);
}

CSG_SUITE(guest_slices, time_slice_places, CSG_TEST(a_piece_may_have_begun_before_its_trace),
	  CSG_TEST(the_idle_thread_runs_neither_guests_nor_user_code),
	  CSG_TEST(rows_do_not_overlap), CSG_TEST(a_slice_is_only_where_its_times_let_it_be),
	  CSG_TEST(too_many_possibilities_are_given_up));
