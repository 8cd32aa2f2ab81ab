/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/residency.h"

#include "suite.h"

#define IN(time, who, prev) csg_residency_in(&r, 0, time, 100, who, prev)
#define OUT(time, who, next) csg_residency_out(&r, 0, time, 100, who, next)
#define SEEN(time, who) csg_residency_seen(&r, 0, time, 100, who)

/* The thread that was on CPU 0 all the time, or -1. */
static int32_t who(const struct csg_residency *r, uint64_t from, uint64_t until)
{
	const struct csg_on_cpu *interval = csg_residency_at(r, 0, from, until);

	return interval ? interval->tid : -1;
}

struct visitors {
	int32_t tids[8];
	size_t n;
};

static bool visit(void *arg, const struct csg_on_cpu *interval)
{
	struct visitors *v = arg;

	if (v->n < 8)
		v->tids[v->n++] = interval->tid;
	return true;
}

static bool among(const struct csg_residency *r, uint64_t from, uint64_t until, struct visitors *v)
{
	v->n = 0;
	return csg_residency_among(r, 0, from, until, visit, v);
}

static void a_thread_is_there_from_its_switch_in_to_its_switch_out(void)
{
	struct csg_residency r = {0};

	IN(10, 7, 8);
	OUT(20, 7, 8);
	IN(22, 8, 7);
	OUT(30, 8, 7);
	CU_ASSERT_EQUAL(who(&r, 10, 20), 7);
	CU_ASSERT_EQUAL(who(&r, 15, 15), 7);
	CU_ASSERT_EQUAL(who(&r, 22, 30), 8);
	CU_ASSERT_EQUAL(who(&r, 9, 15), -1);
	CU_ASSERT_EQUAL(who(&r, 15, 21), -1);
	CU_ASSERT_EQUAL(who(&r, 21, 21), -1);
	CU_ASSERT_EQUAL(who(&r, 15, 25), -1);
	CU_ASSERT_EQUAL(who(&r, 31, 31), -1);
	CU_ASSERT_EQUAL(who(&r, 16, 15), -1);
	CU_ASSERT_PTR_NULL(csg_residency_at(&r, 1, 15, 15));
	CU_ASSERT_PTR_NULL(csg_residency_at(&r, -1, 15, 15));
	csg_residency_fini(&r);
}

static void amid_a_switch_it_was_one_of_the_two(void)
{
	struct csg_residency r = {0};
	struct visitors v;

	IN(10, 7, 8);
	OUT(20, 7, 8);
	IN(22, 8, 7);
	OUT(30, 8, 9);
	CU_ASSERT_TRUE(among(&r, 21, 21, &v));
	CU_ASSERT_EQUAL(v.n, 2);
	CU_ASSERT_EQUAL(v.tids[0], 7);
	CU_ASSERT_EQUAL(v.tids[1], 8);
	CU_ASSERT_TRUE(among(&r, 12, 15, &v));
	CU_ASSERT_EQUAL(v.n, 1);
	CU_ASSERT_TRUE(among(&r, 12, 25, &v));
	CU_ASSERT_EQUAL(v.n, 2);
	/* After its last record, and before its first, it may have been anybody. */
	CU_ASSERT_FALSE(among(&r, 25, 31, &v));
	CU_ASSERT_FALSE(among(&r, 9, 12, &v));
	CU_ASSERT_FALSE(among(&r, 31, 32, &v));
	csg_residency_fini(&r);
}

/* The hole of the nth contradiction, and how many there are. */
static size_t taints(const struct csg_residency *r, size_t nth, uint64_t *from, uint64_t *until)
{
	size_t n;
	const struct csg_residency_taint *list = csg_residency_taints(r, &n);

	*from = nth < n ? list[nth].from : 0;
	*until = nth < n ? list[nth].until : 0;
	return n;
}

/* Threads 7 and 8 in turn, 8 ns each; 7 comes next. */
static void before(struct csg_residency *r, uint64_t from)
{
	csg_residency_in(r, 0, from, 100, 7, 8);
	csg_residency_out(r, 0, from + 8, 100, 7, 8);
	csg_residency_in(r, 0, from + 10, 100, 8, 7);
	csg_residency_out(r, 0, from + 18, 100, 8, 7);
}

static void records_that_do_not_name_each_other_leave_a_hole(void)
{
	struct csg_residency r = {0};
	uint64_t from, until;
	struct visitors v;

	before(&r, 10);
	IN(30, 9, 8); /* who was 7 until then? */
	OUT(40, 9, 7);
	IN(42, 7, 9);
	csg_residency_settle(&r, 0);
	CU_ASSERT_EQUAL(taints(&r, 0, &from, &until), 1);
	CU_ASSERT_EQUAL(from, 28);
	CU_ASSERT_EQUAL(until, 30);
	CU_ASSERT_EQUAL(who(&r, 12, 15), 7);
	CU_ASSERT_EQUAL(who(&r, 20, 28), 8);
	CU_ASSERT_EQUAL(who(&r, 29, 29), -1);
	CU_ASSERT_EQUAL(who(&r, 30, 40), 9);
	CU_ASSERT_TRUE(among(&r, 12, 28, &v));
	CU_ASSERT_FALSE(among(&r, 27, 31, &v));
	CU_ASSERT_TRUE(among(&r, 30, 42, &v));
	csg_residency_fini(&r);
}

/* Each of these records alone, amid those of two intervals, shows that something is wrong around
 * it. */
static void a_record_that_contradicts_its_neighbours_is_nobodys_and_the_rest_stays(void)
{
	for (int what = 0; what < 6; what++) {
		struct csg_residency r = {0};
		uint64_t from, until;

		before(&r, 10);
		IN(30, 7, 8);
		if (what > 2)
			OUT(38, 7, 8);
		if (what % 3 == 0)
			IN(39, 9, 6);
		else if (what % 3 == 1)
			OUT(39, 9, 6);
		else
			SEEN(39, 9);
		if (what <= 2)
			OUT(40, 7, 8);
		IN(42, 8, 7);
		OUT(48, 8, 7);
		before(&r, 50);
		csg_residency_settle(&r, 0);
		CU_ASSERT_EQUAL(taints(&r, 0, &from, &until), 1);
		CU_ASSERT_EQUAL(from, what > 2 ? 38 : 30);
		CU_ASSERT_EQUAL(until, what > 2 ? 42 : 40);
		CU_ASSERT_EQUAL(who(&r, 39, 39), -1);
		CU_ASSERT_EQUAL(who(&r, 20, 28), 8);
		CU_ASSERT_EQUAL(who(&r, 30, 30), 7);
		CU_ASSERT_EQUAL(who(&r, 42, 48), 8);
		CU_ASSERT_EQUAL(who(&r, 50, 58), 7);
		csg_residency_fini(&r);
	}
}

/* Two records that nobody else confirms: as wrong as one. */
static void samples_alone_are_no_interval_beside_a_contradiction(void)
{
	struct csg_residency r = {0};

	before(&r, 10);
	IN(30, 7, 8);
	SEEN(33, 9);
	SEEN(34, 9);
	OUT(40, 7, 8);
	IN(42, 8, 7);
	csg_residency_settle(&r, 0);
	CU_ASSERT_EQUAL(who(&r, 33, 34), -1);
	CU_ASSERT_EQUAL(who(&r, 30, 40), -1);
	CU_ASSERT_EQUAL(who(&r, 20, 28), 8);
	csg_residency_fini(&r);
}

/* A switch whose two records disagree in who left, or in who came. */
static void a_number_that_is_wrong_spoils_its_switch_alone(void)
{
	for (int what = 0; what < 4; what++) {
		struct csg_residency r = {0};
		uint64_t from, until;

		before(&r, 10);
		IN(30, 7, 8);
		OUT(40, what == 0 ? 99 : 7, what == 1 ? 99 : 8);
		IN(42, what == 2 ? 99 : 8, what == 3 ? 99 : 7);
		OUT(50, 8, 7);
		IN(52, 7, 8);
		csg_residency_settle(&r, 0);
		CU_ASSERT_EQUAL(taints(&r, 0, &from, &until), 1);
		CU_ASSERT_EQUAL(from, what == 0 ? 30 : 40);
		CU_ASSERT_EQUAL(until, what == 2 ? 50 : 42);
		for (uint64_t time = 40; time < 42; time++)
			CU_ASSERT_NOT_EQUAL(who(&r, time, time), 99);
		CU_ASSERT_EQUAL(who(&r, 42, 42), what == 2 ? -1 : 8);
		CU_ASSERT_EQUAL(who(&r, 50, 50), 8);
		csg_residency_fini(&r);
	}
}

/* The process is not known then; the thread is. */
static void records_of_a_interval_may_disagree_in_its_process(void)
{
	struct csg_residency r = {0};
	uint64_t from, until;

	before(&r, 10);
	IN(30, 7, 8);
	csg_residency_out(&r, 0, 40, 101, 7, 8);
	IN(42, 8, 7);
	csg_residency_settle(&r, 0);
	CU_ASSERT_EQUAL(taints(&r, 0, &from, &until), 1);
	CU_ASSERT_EQUAL(from, 30);
	CU_ASSERT_EQUAL(until, 40);
	CU_ASSERT_EQUAL(who(&r, 30, 40), 7);
	CU_ASSERT_EQUAL(csg_residency_at(&r, 0, 30, 40)->pid, -1);
	CU_ASSERT_EQUAL(csg_residency_at(&r, 0, 20, 28)->pid, 100);
	csg_residency_fini(&r);
}

static void nothing_is_left_of_records_that_all_contradict(void)
{
	struct csg_residency r = {0};
	uint64_t from, until;

	CU_ASSERT_FALSE(csg_residency_is_hole(&r, 0));
	SEEN(5, -1);
	CU_ASSERT_FALSE(csg_residency_is_hole(&r, 0));
	IN(10, 7, 8);
	IN(20, 9, 6);
	IN(30, 11, 12);
	csg_residency_settle(&r, 0);
	CU_ASSERT(csg_residency_is_hole(&r, 0));
	CU_ASSERT_EQUAL(taints(&r, 0, &from, &until), 1);
	CU_ASSERT_EQUAL(from, 0);
	CU_ASSERT_EQUAL(until, UINT64_MAX);
	csg_residency_fini(&r);
}

static void whoever_writes_a_record_is_there(void)
{
	struct csg_residency r = {0};

	SEEN(5, 7);
	SEEN(9, 7);
	OUT(20, 7, 8);
	CU_ASSERT_EQUAL(who(&r, 5, 20), 7);
	SEEN(21, 8); /* amid the switch */
	CU_ASSERT_EQUAL(who(&r, 21, 21), -1);
	IN(22, 8, 7);
	CU_ASSERT_TRUE(csg_residency_at(&r, 0, 22, 22)->joined);
	OUT(30, 8, 7);
	CU_ASSERT_EQUAL(who(&r, 22, 30), 8);
	csg_residency_fini(&r);
}

static void after_lost_records_nobody_is_known(void)
{
	struct csg_residency r = {0};
	struct visitors v;

	IN(10, 7, 8);
	csg_residency_lost(&r, 1);
	SEEN(11, 7);
	csg_residency_lost(&r, 0);
	OUT(20, 7, 8);
	csg_residency_lost(&r, -1);
	IN(22, 8, 7);
	CU_ASSERT_EQUAL(who(&r, 10, 11), 7);
	CU_ASSERT_EQUAL(who(&r, 10, 12), -1);
	CU_ASSERT_EQUAL(who(&r, 20, 20), 7);
	CU_ASSERT_FALSE(among(&r, 20, 22, &v));
	csg_residency_fini(&r);
}

static void the_same_switch_reported_twice_is_one(void)
{
	struct csg_residency r = {0};
	struct visitors v;
	size_t n;

	IN(10, 7, 8);
	IN(10, 7, 8);
	OUT(20, 7, 8);
	OUT(20, 7, 8);
	IN(22, 8, 7);
	csg_residency_intervals(&r, 0, &n);
	CU_ASSERT_EQUAL(n, 2);
	CU_ASSERT_EQUAL(who(&r, 10, 20), 7);
	CU_ASSERT_TRUE(among(&r, 10, 22, &v));
	csg_residency_fini(&r);
}

static void time_that_goes_back_proves_nothing(void)
{
	struct csg_residency r = {0};
	uint64_t from, until;

	IN(10, 7, 8);
	OUT(20, 7, 8);
	IN(15, 8, 7);
	SEEN(16, 8);
	OUT(18, 8, 7);
	IN(30, 7, 8);
	OUT(40, 7, 8);
	CU_ASSERT_EQUAL(IN(UINT64_MAX, 9, 7), 0);
	csg_residency_settle(&r, 0);
	CU_ASSERT_EQUAL(who(&r, 10, 20), -1);
	CU_ASSERT_EQUAL(who(&r, 15, 18), -1);
	CU_ASSERT_EQUAL(who(&r, 30, 40), 7);
	CU_ASSERT_EQUAL(who(&r, UINT64_MAX, UINT64_MAX), -1);
	CU_ASSERT_EQUAL(taints(&r, 1, &from, &until), 2);
	CU_ASSERT_EQUAL(from, 40);
	CU_ASSERT_EQUAL(until, UINT64_MAX);
	csg_residency_fini(&r);
}

static void cpus_are_apart_and_impossible_ones_are_left_out(void)
{
	struct csg_residency r = {0};
	size_t n;

	CU_ASSERT_EQUAL(csg_residency_in(&r, 5, 10, 1, 1, 2), 0);
	CU_ASSERT_EQUAL(csg_residency_in(&r, 2, 11, 2, 2, 1), 0);
	CU_ASSERT_EQUAL(csg_residency_in(&r, INT32_MAX, 11, 2, 2, 1), 0);
	CU_ASSERT_EQUAL(csg_residency_in(&r, -1, 11, 2, 2, 1), 0);
	CU_ASSERT_EQUAL(r.count, 6);
	csg_residency_intervals(&r, 5, &n);
	CU_ASSERT_EQUAL(n, 1);
	csg_residency_intervals(&r, 3, &n);
	CU_ASSERT_EQUAL(n, 0);
	csg_residency_fini(&r);
}

static void of_one_thread_alone_intervals_are_known_and_nothing_between(void)
{
	struct csg_residency r = {0};
	struct visitors v;

	IN(10, 7, -1);
	OUT(20, 7, -1);
	IN(30, 7, -1);
	OUT(40, 7, -1);
	CU_ASSERT_EQUAL(who(&r, 10, 20), 7);
	CU_ASSERT_EQUAL(who(&r, 30, 40), 7);
	CU_ASSERT_FALSE(among(&r, 15, 35, &v));
	csg_residency_fini(&r);
}

static void many_intervals_are_found(void)
{
	struct csg_residency r = {0};

	for (uint64_t i = 1; i <= 10000; i++) {
		IN(i * 10, (int32_t)i, (int32_t)i - 1);
		OUT(i * 10 + 8, (int32_t)i, (int32_t)i + 1);
	}
	for (uint64_t i = 1; i <= 10000; i += 7)
		CU_ASSERT_EQUAL(who(&r, i * 10, i * 10 + 8), (int32_t)i);
	CU_ASSERT_TRUE(csg_residency_at(&r, 0, 50, 50)->joined);
	csg_residency_fini(&r);
}

static bool nobody(void *arg, const struct csg_on_cpu *interval)
{
	(void)arg;
	(void)interval;
	return true;
}

static void intervals_of_thread_0_can_be_forgotten(void)
{
	struct csg_residency r = {0};

	csg_residency_in(&r, 0, 100, 5, 7, 0);
	csg_residency_out(&r, 0, 200, 5, 7, 0);
	csg_residency_in(&r, 0, 210, 0, 0, 7);
	csg_residency_out(&r, 0, 300, 0, 0, 7);
	csg_residency_in(&r, 0, 310, 5, 7, 0);
	csg_residency_out(&r, 0, 400, 5, 7, 0);
	CU_ASSERT(csg_residency_among(&r, 0, 150, 350, nobody, NULL));
	csg_residency_forget_idle(&r);
	CU_ASSERT_PTR_NULL(csg_residency_at(&r, 0, 220, 280));
	CU_ASSERT_FALSE(csg_residency_among(&r, 0, 220, 280, nobody, NULL));
	CU_ASSERT_FALSE(csg_residency_among(&r, 0, 150, 350, nobody, NULL));
	CU_ASSERT_PTR_NOT_NULL(csg_residency_at(&r, 0, 150, 190));
	CU_ASSERT_PTR_NOT_NULL(csg_residency_at(&r, 0, 320, 350));
	csg_residency_fini(&r);
}

/* The record of a thread's coming is missing, but it wrote others before it left. */
static void who_wrote_a_record_before_it_left_was_there_from_then_on(void)
{
	for (int wrote = 0; wrote < 2; wrote++) {
		struct csg_residency r = {0};
		uint64_t from, until;

		before(&r, 10);
		if (wrote)
			SEEN(35, 7);
		OUT(40, 7, 8);
		IN(42, 8, 7);
		OUT(50, 8, 7);
		csg_residency_settle(&r, 0);
		CU_ASSERT_EQUAL(taints(&r, 0, &from, &until), 1);
		CU_ASSERT_EQUAL(from, 28);
		CU_ASSERT_EQUAL(until, wrote ? 35 : 40);
		CU_ASSERT_EQUAL(csg_residency_taints(&r, &(size_t){0})->time, 40);
		CU_ASSERT_EQUAL(who(&r, 36, 40), wrote ? 7 : -1);
		CU_ASSERT_EQUAL(who(&r, 43, 50), 8);
		csg_residency_fini(&r);
	}
}

CSG_SUITE(guest_facts, residency,
	  CSG_TEST(who_wrote_a_record_before_it_left_was_there_from_then_on),
	  CSG_TEST(intervals_of_thread_0_can_be_forgotten),
	  CSG_TEST(a_thread_is_there_from_its_switch_in_to_its_switch_out),
	  CSG_TEST(amid_a_switch_it_was_one_of_the_two),
	  CSG_TEST(records_that_do_not_name_each_other_leave_a_hole),
	  CSG_TEST(a_record_that_contradicts_its_neighbours_is_nobodys_and_the_rest_stays),
	  CSG_TEST(samples_alone_are_no_interval_beside_a_contradiction),
	  CSG_TEST(a_number_that_is_wrong_spoils_its_switch_alone),
	  CSG_TEST(records_of_a_interval_may_disagree_in_its_process),
	  CSG_TEST(nothing_is_left_of_records_that_all_contradict),
	  CSG_TEST(whoever_writes_a_record_is_there), CSG_TEST(after_lost_records_nobody_is_known),
	  CSG_TEST(the_same_switch_reported_twice_is_one),
	  CSG_TEST(time_that_goes_back_proves_nothing),
	  CSG_TEST(cpus_are_apart_and_impossible_ones_are_left_out),
	  CSG_TEST(of_one_thread_alone_intervals_are_known_and_nothing_between),
	  CSG_TEST(many_intervals_are_found));
