/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/run/code_times.h"

#include "csguest/error.h"
#include "csguest/recording.h"
#include "image/world.h"
#include "session/run/job.h"
#include "suite.h"

#define CODE 0x10000

static const struct csg_chunk chunk = {.begin_time = 100, .time = 5000};

/* Process 7 has a program from 10 on, executes others at 30 and 60; the last is mapped at 70. */
static struct csg_space *begin(struct world *w)
{
	struct csg_image_options options = {.buildid_dir = "", .symfs = scratch_begin(&w->scratch)};
	struct csg_event map = map_event(7, CODE, 0x20, "/x", NULL, 10);
	struct csg_event exec = {
		.kind = CSG_EVENT_COMM, .pid = 7, .tid = 7, .comm = "y", .exec = true, .time = 30};

	world_program(w, "x", NULL);
	world_begin(w, &options);
	map.map.pgoff = 0xb0;
	CU_ASSERT_EQUAL(csg_machine_event(w->machine, &map), 0);
	CU_ASSERT_EQUAL(csg_machine_event(w->machine, &exec), 0);
	exec.time = 60;
	CU_ASSERT_EQUAL(csg_machine_event(w->machine, &exec), 0);
	map.map.pgoff = 0xc0;
	map.time = 70;
	CU_ASSERT_EQUAL(csg_machine_event(w->machine, &map), 0);
	return csg_machine_process(w->machine, 7);
}

static uint64_t first_stamp(uint64_t latest)
{
	struct csg_job job = {.chunk = &chunk};
	uint64_t first;

	csg_job_add_time(&job, &(struct csg_job_time){.index = 1, .time = 90, .latest = 95});
	csg_job_add_time(&job, &(struct csg_job_time){.index = 2, .time = 200, .latest = latest});
	csg_job_add_time(&job, &(struct csg_job_time){.index = 3, .time = 300, .latest = 350});
	first = csg_code_first_stamp(&job);
	csg_job_fini(&job);
	return first;
}

static void the_first_timestamp_counts_that_says_when_it_was(void)
{
	CU_ASSERT_EQUAL(first_stamp(250), 1250);
	CU_ASSERT_EQUAL(first_stamp(0), 0);
	CU_ASSERT_EQUAL(first_stamp(4000), 0); /* it may be the chunk's end */
}

static void code_ran_between_timestamps_or_in_its_chunk(void)
{
	struct csg_code_clock clock = {.chunk = &chunk, .times = {200, 300}};
	struct world w = {0};
	struct csg_space *space = begin(&w);
	struct csg_code_times times = csg_code_times_in(&clock, space);

	CU_ASSERT_TRUE(csg_code_is_dated(&clock, space));
	CU_ASSERT_EQUAL(csg_code_lookup_time(&clock), 200);
	CU_ASSERT(times.from == 200 && times.to == 300);

	clock.times = (struct csg_code_times){chunk.time, chunk.time};
	times = csg_code_times_in(&clock, space);
	CU_ASSERT_FALSE(csg_code_is_dated(&clock, space));
	CU_ASSERT_EQUAL(csg_code_lookup_time(&clock), chunk.time);
	CU_ASSERT(times.from == chunk.begin_time && times.to == chunk.time);

	clock.first_stamp = 1200;
	times = csg_code_times_in(&clock, space);
	CU_ASSERT_EQUAL(csg_code_lookup_time(&clock), 1200);
	CU_ASSERT(times.from == chunk.begin_time && times.to == 1200);
	world_end(&w);
}

/* Of which the AUX record was lost: up to its first timestamp, or any time. */
static void trace_without_an_end_may_have_run_at_any_time(void)
{
	const struct csg_chunk endless = {.begin_time = 100};
	struct csg_code_clock clock = {.chunk = &endless, .times = {UINT64_MAX, UINT64_MAX}};
	struct world w = {0};
	struct csg_space *space = begin(&w);
	struct csg_code_times times = csg_code_times_in(&clock, space);

	CU_ASSERT(times.from == 100 && times.to == UINT64_MAX);
	clock.first_stamp = 1200;
	times = csg_code_times_in(&clock, space);
	CU_ASSERT(times.from == 100 && times.to == 1200);
	clock.times = (struct csg_code_times){200, 300};
	CU_ASSERT_TRUE(csg_code_is_dated(&clock, space));
	world_end(&w);
}

/* How much of what is there at `from` is there all the while. */
static size_t steady(struct csg_space *space, uint64_t from, uint64_t to)
{
	const struct csg_code_times times = {from, to};
	const uint8_t *bytes;
	size_t len;

	CU_ASSERT_EQUAL_FATAL(csg_space_peek(space, CODE, from, &bytes, &len, NULL), 0);
	return csg_code_steady(space, CODE, &times, bytes, &len) ? 0 : len;
}

static void of_two_versions_nobody_knows_which_one_ran(void)
{
	const struct csg_event lost = {.kind = CSG_EVENT_LOST, .time = 80};
	struct world w = {0};
	struct csg_space *space = begin(&w);

	CU_ASSERT_EQUAL(steady(space, 10, 29), 0x20);
	CU_ASSERT_EQUAL(steady(space, 10, 75), 0);
	CU_ASSERT_EQUAL(steady(space, 70, 5000), 0x20);
	/* What is not there any more ran before that, or what came then is not known. */
	CU_ASSERT_EQUAL(steady(space, 10, 50), 0x20);
	CU_ASSERT_EQUAL(csg_machine_event(w.machine, &lost), 0);
	CU_ASSERT_EQUAL(steady(space, 10, 50), 0);
	CU_ASSERT_EQUAL(steady(space, 10, 29), 0x20);
	world_end(&w);
}

CSG_SUITE(session_run, code_times, CSG_TEST(the_first_timestamp_counts_that_says_when_it_was),
	  CSG_TEST(code_ran_between_timestamps_or_in_its_chunk),
	  CSG_TEST(trace_without_an_end_may_have_run_at_any_time),
	  CSG_TEST(of_two_versions_nobody_knows_which_one_ran));
