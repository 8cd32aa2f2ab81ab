/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "stack/moves.h"

#define NONE UINT32_MAX

/* Thread 7 is on CPU 0, then on CPU 4 (stream 1), then on CPU 0 again. */
static void residency(struct csg_residency *r)
{
	*r = (struct csg_residency){0};
	csg_residency_in(r, 0, 100, 7, 7, 1);
	csg_residency_out(r, 0, 200, 7, 7, 1);
	csg_residency_in(r, 0, 201, 1, 1, 7);
	csg_residency_in(r, 4, 250, 7, 7, 2);
	csg_residency_out(r, 4, 300, 7, 7, 2);
	csg_residency_in(r, 4, 301, 2, 2, 7);
	csg_residency_out(r, 0, 390, 1, 1, 7);
	csg_residency_in(r, 0, 400, 7, 7, 1);
	csg_residency_out(r, 0, 500, 7, 7, 1);
}

static void a_thread_that_was_elsewhere_meanwhile_is_waited_for(void)
{
	const int32_t cpus[] = {0, 4};
	struct csg_residency r;
	struct csg_moves moves;
	uint64_t times[] = {90, 90};

	residency(&r);
	CU_ASSERT_EQUAL(csg_moves_init(&moves, &r, cpus, 2), 0);
	CU_ASSERT_EQUAL(csg_moves_await(&moves, 7, 0, times), NONE);
	times[0] = 350; /* it comes back to CPU 0, and CPU 4 has not been followed so far */
	CU_ASSERT_EQUAL(csg_moves_await(&moves, 7, 0, times), 1);
	CU_ASSERT_EQUAL(csg_moves_await(&moves, 7, 0, times), 1);
	times[1] = 240;
	CU_ASSERT_EQUAL(csg_moves_await(&moves, 7, 1, times), NONE);
	/* It is not there any more, as it comes here. */
	CU_ASSERT_EQUAL(csg_moves_await(&moves, 7, 0, times), NONE);
	csg_moves_fini(&moves);
	csg_residency_fini(&r);
}

static void what_is_past_is_not_waited_for(void)
{
	const int32_t cpus[] = {0, 4};
	struct csg_residency r;
	struct csg_moves moves;
	const uint64_t times[] = {350, 310};

	residency(&r);
	CU_ASSERT_EQUAL(csg_moves_init(&moves, &r, cpus, 2), 0);
	CU_ASSERT_EQUAL(csg_moves_await(&moves, 7, 0, times), NONE);
	csg_moves_fini(&moves);
	csg_residency_fini(&r);
}

static void two_stays_between_two_timestamps_are_told_apart(void)
{
	const int32_t cpus[] = {0, 4};
	struct csg_residency r;
	struct csg_moves moves;
	const uint64_t times[] = {90, 90};

	residency(&r);
	CU_ASSERT_EQUAL(csg_moves_init(&moves, &r, cpus, 2), 0);
	CU_ASSERT_EQUAL(csg_moves_await(&moves, 7, 0, times), NONE);
	CU_ASSERT_EQUAL(csg_moves_await(&moves, 7, 0, times), 1);
	csg_moves_fini(&moves);
	csg_residency_fini(&r);
}

static void of_whom_nothing_is_known_nobody_waits(void)
{
	const int32_t cpus[] = {0, 4};
	struct csg_residency r;
	struct csg_moves moves;
	uint64_t times[] = {350, 90};

	residency(&r);
	CU_ASSERT_EQUAL(csg_moves_init(&moves, &r, cpus, 2), 0);
	CU_ASSERT_EQUAL(csg_moves_await(&moves, 8, 0, times), NONE);
	times[0] = 0;
	CU_ASSERT_EQUAL(csg_moves_await(&moves, 7, 0, times), NONE);
	csg_moves_fini(&moves);
	CU_ASSERT_EQUAL(csg_moves_init(&moves, NULL, cpus, 2), 0);
	times[0] = 350;
	CU_ASSERT_EQUAL(csg_moves_await(&moves, 7, 0, times), NONE);
	csg_moves_fini(&moves);
	csg_residency_fini(&r);
}

CSG_SUITE(stack, moves, CSG_TEST(a_thread_that_was_elsewhere_meanwhile_is_waited_for),
	  CSG_TEST(what_is_past_is_not_waited_for),
	  CSG_TEST(two_stays_between_two_timestamps_are_told_apart),
	  CSG_TEST(of_whom_nothing_is_known_nobody_waits));
