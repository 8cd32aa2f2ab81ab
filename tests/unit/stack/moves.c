/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "csguest/error.h"
#include "stack/moves.h"

#define NONE UINT32_MAX

/* Thread 7 is on CPU 0, then on CPU 4 (stream 1), then on CPU 0 again. */
static int interval(void *arg, uint32_t stream, size_t index, struct csg_interval *interval,
		    size_t size)
{
	static const struct csg_interval intervals[2][3] = {
		{{100, 200, 7, 7, false}, {201, 390, 1, 1, true}, {400, 500, 7, 7, false}},
		{{250, 300, 7, 7, false}, {301, 301, 2, 2, true}},
	};

	(void)arg;
	CU_ASSERT_EQUAL(size, sizeof(*interval));
	if (index >= (stream ? 2u : 3u))
		return -CSG_E_USAGE;
	*interval = intervals[stream][index];
	return 0;
}

static const struct csg_follower_source known = {.streams = 2, .interval = interval};

static void a_thread_that_was_elsewhere_meanwhile_is_waited_for(void)
{
	struct csg_moves moves;
	uint64_t times[] = {90, 90};

	CU_ASSERT_EQUAL(csg_moves_init(&moves, &known, NULL), 0);
	CU_ASSERT_EQUAL(csg_moves_await(&moves, 7, 0, times), NONE);
	times[0] = 350; /* it comes back to CPU 0, and CPU 4 has not been followed so far */
	CU_ASSERT_EQUAL(csg_moves_await(&moves, 7, 0, times), 1);
	CU_ASSERT_EQUAL(csg_moves_await(&moves, 7, 0, times), 1);
	times[1] = 240;
	CU_ASSERT_EQUAL(csg_moves_await(&moves, 7, 1, times), NONE);
	/* It is not there any more, as it comes here. */
	CU_ASSERT_EQUAL(csg_moves_await(&moves, 7, 0, times), NONE);
	csg_moves_fini(&moves);
}

static void what_is_past_is_not_waited_for(void)
{
	struct csg_moves moves;
	uint64_t times[] = {350, 310};

	CU_ASSERT_EQUAL(csg_moves_init(&moves, &known, NULL), 0);
	CU_ASSERT_EQUAL(csg_moves_await(&moves, 7, 0, times), NONE);
	csg_moves_fini(&moves);
}

/* At the time of the last record of an interval the thread is still there. */
static void a_interval_is_not_over_at_its_end(void)
{
	struct csg_moves moves;
	uint64_t times[] = {200, 90};

	CU_ASSERT_EQUAL(csg_moves_init(&moves, &known, NULL), 0);
	CU_ASSERT_EQUAL(csg_moves_await(&moves, 7, 0, times), NONE);
	times[0] = 350;
	CU_ASSERT_EQUAL(csg_moves_await(&moves, 7, 0, times), 1);
	csg_moves_fini(&moves);
}

/* What is over is not looked at again, of each thread: it counts from the first of its
 * intervals. */
static void what_is_over_is_passed_once(void)
{
	struct csg_moves moves;
	uint64_t times[] = {90, 90};

	CU_ASSERT_EQUAL(csg_moves_init(&moves, &known, NULL), 0);
	CU_ASSERT_EQUAL(csg_moves_await(&moves, 7, 0, times), NONE);
	times[0] = 350;
	times[1] = 310;
	CU_ASSERT_EQUAL(csg_moves_await(&moves, 7, 0, times), NONE);
	/* By thread, then by time: of 1, of 2, three of 7, of which the last is entered now. */
	CU_ASSERT_EQUAL(moves.threads[0].over, 2);
	CU_ASSERT_EQUAL(csg_moves_await(&moves, 7, 0, times), NONE);
	CU_ASSERT_EQUAL(moves.threads[0].over, 3);
	CU_ASSERT_EQUAL(moves.threads[1].over, 0);
	CU_ASSERT_EQUAL(csg_moves_await(&moves, 99, 0, times), NONE);
	csg_moves_fini(&moves);
}

static void two_intervals_between_two_timestamps_are_distinguished(void)
{
	struct csg_moves moves;
	uint64_t times[] = {90, 90};

	CU_ASSERT_EQUAL(csg_moves_init(&moves, &known, NULL), 0);
	CU_ASSERT_EQUAL(csg_moves_await(&moves, 7, 0, times), NONE);
	CU_ASSERT_EQUAL(csg_moves_await(&moves, 7, 0, times), 1);
	csg_moves_fini(&moves);
}

/* Where timestamps do not tell, the order of the intervals does: it is not there before it came. */
static void an_interval_that_is_entered_dates_its_stream(void)
{
	struct csg_moves moves;
	uint64_t times[] = {90, 90};

	CU_ASSERT_EQUAL(csg_moves_init(&moves, &known, NULL), 0);
	CU_ASSERT_EQUAL(csg_moves_await(&moves, 7, 0, times), NONE);
	CU_ASSERT_EQUAL(times[0], 100);
	CU_ASSERT_EQUAL(csg_moves_await(&moves, 7, 0, times), 1);
	CU_ASSERT_EQUAL(times[0], 100);
	CU_ASSERT_EQUAL(csg_moves_await(&moves, 7, 1, times), NONE);
	CU_ASSERT_EQUAL(times[1], 250);
	CU_ASSERT_EQUAL(csg_moves_await(&moves, 7, 0, times), NONE);
	CU_ASSERT_EQUAL(times[0], 400);
	csg_moves_fini(&moves);
}

static void of_whom_nothing_is_known_nobody_waits(void)
{
	const struct csg_follower_source nothing = {.streams = 2};
	struct csg_moves moves;
	uint64_t times[] = {350, 90};

	CU_ASSERT_EQUAL(csg_moves_init(&moves, &known, NULL), 0);
	CU_ASSERT_EQUAL(csg_moves_await(&moves, 8, 0, times), NONE);
	times[0] = 0;
	CU_ASSERT_EQUAL(csg_moves_await(&moves, 7, 0, times), NONE);
	csg_moves_fini(&moves);
	CU_ASSERT_EQUAL(csg_moves_init(&moves, &nothing, NULL), 0);
	times[0] = 350;
	CU_ASSERT_EQUAL(csg_moves_await(&moves, 7, 0, times), NONE);
	csg_moves_fini(&moves);
}

#define MANY 100000

/* Threads 1 to 9 run in turn, now on this CPU, now on the other. */
static int one_of_many(void *arg, uint32_t stream, size_t index, struct csg_interval *interval,
		       size_t size)
{
	const uint64_t from = 2 * index + stream;

	(void)arg;
	(void)size;
	if (index >= MANY)
		return -CSG_E_USAGE;
	*interval = (struct csg_interval){.from = 10 * from,
					  .until = 10 * from + 5,
					  .pid = 1,
					  .tid = 1 + (int32_t)(from % 9)};
	return 0;
}

static void many_intervals_are_those_of_their_thread_in_the_order_of_time(void)
{
	const struct csg_follower_source many = {.streams = 2, .interval = one_of_many};
	struct csg_moves moves;
	size_t all = 0, wrong = 0;

	CU_ASSERT_EQUAL_FATAL(csg_moves_init(&moves, &many, "/tmp"), 0);
	CU_ASSERT_NOT_EQUAL(moves.memory.on_disk, 0);
	for (size_t i = 0; i < moves.numbers.count; i++) {
		const int32_t tid = *(const int32_t *)csg_keyset_get(&moves.numbers, i);
		const struct csg_move_thread *thread = &moves.threads[i];

		for (size_t k = 0; k < thread->n; k++) {
			const struct csg_move_interval *at = &moves.intervals[thread->first + k];

			wrong += at->from / 10 % 9 + 1 != (uint64_t)tid;
			wrong += at->until != at->from + 5 || at->stream != at->from / 10 % 2;
			wrong += k && at[-1].from >= at->from;
		}
		all += thread->n;
	}
	CU_ASSERT_EQUAL(all, 2 * MANY);
	CU_ASSERT_EQUAL(wrong, 0);
	csg_moves_fini(&moves);
}

CSG_SUITE(stack, moves, CSG_TEST(a_thread_that_was_elsewhere_meanwhile_is_waited_for),
	  CSG_TEST(what_is_past_is_not_waited_for), CSG_TEST(what_is_over_is_passed_once),
	  CSG_TEST(many_intervals_are_those_of_their_thread_in_the_order_of_time),
	  CSG_TEST(a_interval_is_not_over_at_its_end),
	  CSG_TEST(two_intervals_between_two_timestamps_are_distinguished),
	  CSG_TEST(an_interval_that_is_entered_dates_its_stream),
	  CSG_TEST(of_whom_nothing_is_known_nobody_waits));
