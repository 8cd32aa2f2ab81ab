/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/slices/time_slice_events.h"

#include "five_intervals.h"

#define MINE UINT64_C(0xffff800080001000)
#define YOURS UINT64_C(0xffff800080002000)

/*
 * Two vCPU threads take turns, each for 100 ns, from 100 to 100 + 100 * n.  In each interval there
 * is one exit, where exits has it, or none if that is 0.
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

/* A time slice that shows an exit from there, entered there as well; 0: it shows none. */
static void show_exit(struct csg_time_slices *t, uint8_t shown, uint64_t address)
{
	struct csg_border_sight sight = {.address = address, .entry = true, .known = true};

	CU_ASSERT_EQUAL(address ? csg_time_slices_sight(t, &sight) : 0, 0);
	sight.entry = false;
	sight.number = 3;
	CU_ASSERT_EQUAL(address ? csg_time_slices_sight(t, &sight) : 0, 0);
	CU_ASSERT_EQUAL(csg_time_slices_add(t, 10 * t->count, 10 * t->count + 10, shown), 0);
}

/*
 * Whose the first of four time slices with these exits is, where six intervals had those: 0, 11 and
 * 22 by turns; *events gets what the events say.
 */
static int32_t first_of(const uint64_t *seen, const uint64_t *reported, uint8_t *events)
{
	struct csg_residency r;
	struct csg_kvm_visits v;
	struct csg_time_slices t = {0};
	int32_t tid;

	busy(&r, &v, reported, 6);
	for (int i = 0; i < 4; i++)
		show_exit(&t, i ? 0 : CSG_TIME_SLICE_APART, seen[i]);
	CU_ASSERT_EQUAL(csg_time_slices_match(&t, 0, &r, &v, CPU, 100, 700), 0);
	CU_ASSERT_EQUAL(t.sight_count, 0);
	tid = t.slices[0].tid;
	*events = t.slices[0].events;
	for (int i = 1; i < 4; i++)
		CU_ASSERT_EQUAL(t.slices[i].tid, tid < 0 ? -1 : i % 2 ? 33 - tid : tid);
	csg_time_slices_fini(&t);
	csg_kvm_visits_fini(&v);
	csg_residency_fini(&r);
	return tid;
}

static void exits_that_were_reported_name_a_row(void)
{
	static const uint64_t reported[] = {MINE, YOURS, MINE, YOURS, MINE, YOURS};
	static const uint64_t seen[] = {YOURS, MINE, YOURS, MINE};
	uint8_t events;

	/* The second interval or, with as good a right, none. */
	CU_ASSERT_EQUAL(first_of(seen, reported, &events), 22);
	CU_ASSERT_EQUAL(events, CSG_TIME_SLICE_EVENTS_AGREE);
}

static void exits_at_one_address_prove_nothing(void)
{
	static const uint64_t reported[] = {MINE, MINE, MINE, 0, 0, MINE};
	static const uint64_t seen[] = {MINE, 0, 0, MINE};
	uint8_t events;

	CU_ASSERT_EQUAL(first_of(seen, reported, &events), -1);
	CU_ASSERT_EQUAL(events, CSG_TIME_SLICE_EVENTS_SILENT);
}

static void several_rows_that_show_them_are_nobodys(void)
{
	static const uint64_t reported[] = {MINE, MINE, YOURS, MINE, YOURS, MINE};
	static const uint64_t seen[] = {YOURS, MINE, YOURS, MINE};
	static const uint64_t lost[] = {MINE, YOURS, 0, 0, MINE, YOURS};
	uint8_t events;

	/* Only the two in the middle must show: 1 and 2, or 3 and 4. */
	CU_ASSERT_EQUAL(first_of(seen, reported, &events), -1);
	CU_ASSERT_EQUAL(events, CSG_TIME_SLICE_EVENTS_SILENT);
	/* Where no event is left, every row fits. */
	CU_ASSERT_EQUAL(first_of(seen, lost, &events), -1);
	CU_ASSERT_EQUAL(events, CSG_TIME_SLICE_EVENTS_SILENT);
}

static void exits_that_no_row_shows_are_a_conflict(void)
{
	static const uint64_t reported[] = {MINE, YOURS, MINE, YOURS, MINE, YOURS};
	static const uint64_t seen[] = {YOURS, 0, 0, MINE};
	uint8_t events;

	CU_ASSERT_EQUAL(first_of(seen, reported, &events), -1);
	CU_ASSERT_EQUAL(events, CSG_TIME_SLICE_EVENTS_CONTRADICT);
}

/* Where the guest is that leaves in interval i, and where it goes on from: what its thread left
 * before. */
static uint64_t left_at(int i)
{
	return MINE + (uint64_t)i * 16;
}

static uint64_t entered_at(int i)
{
	return left_at(i < 2 ? i : i - 2);
}

#define INTERVALS 16

/* Sixteen intervals of two vCPU threads by turns, each with an exit at an address of its own. */
static void sixteen_intervals(struct csg_residency *r, struct csg_kvm_visits *v)
{
	*r = (struct csg_residency){0};
	*v = (struct csg_kvm_visits){0};
	csg_residency_seen(r, CPU, 100, 11, 11);
	for (int i = 0; i < INTERVALS; i++) {
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
	csg_residency_seen(r, CPU, 100 + 100 * INTERVALS, -1, -1);
	CU_ASSERT_EQUAL(csg_kvm_visits_seal(v), 0);
}

static void sight_visit(struct csg_time_slices *t, int i)
{
	struct csg_border_sight sight = {.address = entered_at(i), .entry = true, .known = true};

	CU_ASSERT_EQUAL(csg_time_slices_sight(t, &sight), 0);
	sight = (struct csg_border_sight){.address = left_at(i), .number = 3, .known = true};
	CU_ASSERT_EQUAL(csg_time_slices_sight(t, &sight), 0);
}

static void a_row_with_a_loss_inside_is_named_on_both_sides(void)
{
	struct csg_residency r;
	struct csg_kvm_visits v;
	struct csg_time_slices t = {0};

	sixteen_intervals(&r, &v);
	/* The end of interval 5, all of 6 and 7, and the beginning of 8 are lost. */
	for (int i = 0; i < INTERVALS; i++) {
		if (i == 6 || i == 7)
			continue;
		sight_visit(&t, i);
		if (i != 5)
			csg_time_slices_add(&t, 10 * t.count, 10 * t.count + 10,
					    i ? 0 : CSG_TIME_SLICE_APART);
	}
	CU_ASSERT_EQUAL_FATAL(t.count, 13);
	CU_ASSERT_EQUAL(csg_time_slices_match(&t, 0, &r, &v, CPU, 100, 100 + 100 * INTERVALS), 0);
	for (size_t i = 0; i < t.count; i++) {
		size_t interval = i < 6 ? i : i + 3;
		bool contradiction = i >= 4 && i <= 6;

		CU_ASSERT_EQUAL(t.slices[i].tid, contradiction ? -1 : interval % 2 ? 22 : 11);
		CU_ASSERT_EQUAL(t.slices[i].events, contradiction ? CSG_TIME_SLICE_EVENTS_CONTRADICT
								  : CSG_TIME_SLICE_EVENTS_AGREE);
	}
	csg_time_slices_fini(&t);
	csg_kvm_visits_fini(&v);
	csg_residency_fini(&r);
}

/* Stays lost, and the end of the one before them and the beginning of the one after them. */
static void lose_from(int lost, struct csg_time_slices *t)
{
	struct csg_residency r;
	struct csg_kvm_visits v;

	sixteen_intervals(&r, &v);
	for (int i = 0; i < INTERVALS; i++) {
		if (i == lost + 1 || i == lost + 2)
			continue;
		sight_visit(t, i);
		if (i != lost)
			csg_time_slices_add(
				t, 10 * t->count, 10 * t->count + 10,
				(uint8_t)(CSG_TIME_SLICE_GUEST | (i ? 0 : CSG_TIME_SLICE_APART)));
	}
	CU_ASSERT_EQUAL_FATAL(t->count, INTERVALS - 3);
	CU_ASSERT_EQUAL(csg_time_slices_match(t, 0, &r, &v, CPU, 100, 100 + 100 * INTERVALS), 0);
	csg_kvm_visits_fini(&v);
	csg_residency_fini(&r);
}

/* Wherever it is lost: no time slice gets another thread than the interval had that it is of. */
static void no_loss_names_another_thread(void)
{
	size_t named = 0;

	for (int lost = 1; lost < INTERVALS - 3; lost++) {
		struct csg_time_slices t = {0};

		lose_from(lost, &t);
		for (int i = 0; i < INTERVALS - 3; i++) {
			int interval = i <= lost ? i : i + 3, tid = t.slices[i].tid;

			named += tid >= 0;
			/* The one in which it was lost is of both. */
			CU_ASSERT(tid < 0 || i == lost || tid == (interval % 2 ? 22 : 11));
		}
		csg_time_slices_fini(&t);
	}
	CU_ASSERT(named > 80);
}

static void a_guest_in_a_thread_that_can_run_none_contradicts(void)
{
	const struct csg_vcpu_entry vcpu = {22, 22, 0, CSG_VCPU_BY_NAME, false};
	struct csg_residency r;
	struct csg_kvm_visits v;
	struct csg_vcpus vcpus = {0};
	struct csg_time_slices t = {.vcpus = &vcpus};

	sixteen_intervals(&r, &v);
	CU_ASSERT_EQUAL(csg_vcpus_add(&vcpus, &vcpu), 0);
	for (int i = 0; i < INTERVALS; i++) {
		bool guest = i == 4 || i % 2;

		sight_visit(&t, i);
		csg_time_slices_add(&t, 10 * t.count, 10 * t.count + 10,
				    (uint8_t)((i ? 0 : CSG_TIME_SLICE_APART) |
					      (guest ? CSG_TIME_SLICE_GUEST : 0)));
	}
	CU_ASSERT_EQUAL(csg_time_slices_match(&t, 0, &r, &v, CPU, 100, 100 + 100 * INTERVALS), 0);
	for (size_t i = 0; i < t.count; i++)
		CU_ASSERT_EQUAL(t.slices[i].tid, i == 4 ? -1 : i % 2 ? 22 : 11);
	CU_ASSERT_EQUAL(t.slices[4].events, CSG_TIME_SLICE_EVENTS_CONTRADICT);
	csg_time_slices_fini(&t);
	csg_vcpus_fini(&vcpus);
	csg_kvm_visits_fini(&v);
	csg_residency_fini(&r);
}

static void switches_that_events_contradict_name_nobody(void)
{
	static const uint64_t reported[] = {MINE, YOURS, MINE, YOURS};

	for (int k = 0; k < 2; k++) {
		struct csg_residency r;
		struct csg_kvm_visits v;
		struct csg_time_slices t = {0};

		busy(&r, &v, reported, 4);
		for (int i = 0; i < 4; i++)
			show_exit(&t, i ? 0 : CSG_TIME_SLICE_APART, 0);
		CU_ASSERT_EQUAL(
			csg_time_slices_match(&t, 0, &r, k ? &v : &nothing_reported, CPU, 100, 500),
			0);
		CU_ASSERT_EQUAL(t.slices[0].tid, k ? -1 : 11);
		CU_ASSERT_EQUAL(t.slices[3].events, k ? CSG_TIME_SLICE_EVENTS_CONTRADICT
						      : CSG_TIME_SLICE_EVENTS_SILENT);
		csg_time_slices_fini(&t);
		csg_kvm_visits_fini(&v);
		csg_residency_fini(&r);
	}
}

static void a_row_that_events_name_leaves_the_others_what_is_left(void)
{
	static const uint64_t reported[] = {MINE, YOURS, MINE, YOURS, MINE, YOURS};
	struct csg_residency r;
	struct csg_kvm_visits v;
	struct csg_time_slices t = {0};

	busy(&r, &v, reported, 6);
	for (int i = 0; i < 4; i++)
		show_exit(&t, i ? 0 : CSG_TIME_SLICE_APART, i % 2 ? MINE : YOURS);
	/* One time slice after it: it may go on in the last interval of the row, or be the next
	 * one. */
	show_exit(&t, CSG_TIME_SLICE_APART, 0);
	show_exit(&t, 0, 0);
	CU_ASSERT_EQUAL(csg_time_slices_match(&t, 0, &r, &v, CPU, 100, 700), 0);
	CU_ASSERT_EQUAL(t.slices[0].tid, 22);
	CU_ASSERT_EQUAL(t.slices[4].tid, 11);
	CU_ASSERT_EQUAL(t.slices[5].tid, 22);
	CU_ASSERT_EQUAL(t.slices[5].events, CSG_TIME_SLICE_EVENTS_SILENT);
	csg_time_slices_fini(&t);
	csg_kvm_visits_fini(&v);
	csg_residency_fini(&r);
}

#define PC UINT64_C(0xffff800080056780)

/* Of two visits the first time slice shows one, the second the other. */
static void slices_show_together_what_none_does_alone(void)
{
	const struct csg_kvm_visit visits[] = {{.entered = 210,
						.left = 220,
						.entry = PC,
						.exit = PC + 16,
						.tid = 7,
						.trap = true,
						.shows = true},
					       {.entered = 230,
						.left = 240,
						.entry = PC + 16,
						.exit = PC + 32,
						.tid = 7,
						.trap = true,
						.shows = true}};
	const struct csg_on_cpu interval = {.from = 200, .until = 290, .tid = 7};
	struct csg_time_slices slices = {0};
	struct csg_time_slice_match m = {
		.slices = &slices, .intervals = &interval, .interval_count = 1};
	struct csg_kvm_proof proof = {.any = false};

	m.visits = visits;
	m.visit_count = 2;
	for (uint64_t i = 0; i < 2; i++) {
		struct csg_border_sight sight = {
			.address = visits[i].entry, .entry = true, .known = true};

		CU_ASSERT_EQUAL(csg_time_slices_sight(&slices, &sight), 0);
		sight = (struct csg_border_sight){
			.address = visits[i].exit, .number = 3, .known = true};
		CU_ASSERT_EQUAL(csg_time_slices_sight(&slices, &sight), 0);
		CU_ASSERT_EQUAL(csg_time_slices_add(&slices, i, i + 1, CSG_TIME_SLICE_GUEST), 0);
	}
	CU_ASSERT(csg_time_slice_shows_visits(&m, 0, 1, &interval, &proof));
	CU_ASSERT(proof.differ);
	CU_ASSERT_FALSE(csg_time_slice_shows_visits(&m, 0, 0, &interval, &proof));
	CU_ASSERT_FALSE(csg_time_slice_shows_visits(&m, 1, 1, &interval, &proof));
	/* The last of a run shows the first entry, the first of one the last exit. */
	CU_ASSERT(csg_time_slice_shows_nearest(&m, 0, &interval, true));
	CU_ASSERT_FALSE(csg_time_slice_shows_nearest(&m, 0, &interval, false));
	CU_ASSERT(csg_time_slice_shows_nearest(&m, 1, &interval, false));
	csg_time_slices_fini(&slices);
}

CSG_SUITE(guest_slices, time_slice_events, CSG_TEST(slices_show_together_what_none_does_alone),
	  CSG_TEST(exits_that_were_reported_name_a_row),
	  CSG_TEST(exits_at_one_address_prove_nothing),
	  CSG_TEST(several_rows_that_show_them_are_nobodys),
	  CSG_TEST(exits_that_no_row_shows_are_a_conflict),
	  CSG_TEST(a_row_with_a_loss_inside_is_named_on_both_sides),
	  CSG_TEST(no_loss_names_another_thread),
	  CSG_TEST(a_guest_in_a_thread_that_can_run_none_contradicts),
	  CSG_TEST(switches_that_events_contradict_name_nobody),
	  CSG_TEST(a_row_that_events_name_leaves_the_others_what_is_left));
