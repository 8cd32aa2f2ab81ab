/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/wait_parts.h"

#include "waits/switching.h"

#define HALTED [CSG_WAIT_HALTED]

/* Thread 11 blocks three times and is woken once; from 600 on records of the other CPU are
 * missing. */
static void record(void)
{
	struct csg_sideband_event woken = event_of(CSG_SIDEBAND_WAKE, 0, 240, 11);
	struct csg_sideband_event lost = event_of(CSG_SIDEBAND_LOST, 1, 700, 0);

	begin();
	in(0, 100, 11, 7);
	in(1, 110, 12, 8);
	switch_to(0, 200, 11, 7, CSG_LEAVE_BLOCKED);
	add(&woken);
	switch_to(0, 250, 7, 11, CSG_LEAVE_PREEMPTED);
	switch_to(0, 300, 11, 7, CSG_LEAVE_BLOCKED);
	switch_to(0, 400, 7, 11, CSG_LEAVE_PREEMPTED);
	switch_to(0, 500, 11, 7, CSG_LEAVE_BLOCKED);
	out(1, 600, 12, 8, CSG_LEAVE_BLOCKED);
	add(&lost);
	finish();
}

/* What a shard with this core has: states where it is the last, and all halts where it saw them. */
static void shard(const struct csg_slice_windows *windows, uint64_t begin, uint64_t end, bool last,
		  bool saw, const struct csg_slice_window *all, struct csg_wait_sums *sums)
{
	const struct csg_slice_window core = {begin, end};
	struct csg_wait_parts parts = {0};
	size_t n;

	record();
	if (last)
		CU_ASSERT_EQUAL(csg_wait_parts_read(&parts, &waits, 10, 11, windows, &core), 0);
	if (saw) {
		csg_waits_halted(&waits, 11, 0, 195, 205);
		csg_waits_halted(&waits, 11, 0, 495, 505);
	}
	CU_ASSERT_EQUAL(csg_wait_parts_halt(&parts, &waits, csg_waits_threads_of(&waits, 11, &n),
					    windows, &core),
			0);
	CU_ASSERT_EQUAL(n, 1);
	csg_wait_parts_sum(&parts, all, sums);
	csg_wait_parts_fini(&parts);
	csg_waits_fini(&waits);
}

static void check(const struct csg_slice_windows *windows, uint64_t begin, uint64_t end,
		  struct csg_wait_sums want)
{
	static const struct csg_slice_window all = {120, 900};
	struct csg_wait_sums sums = {{0}};

	shard(windows, 0, 0, false, false, &all, &sums);
	shard(windows, 150, 420, false, true, &all, &sums);
	shard(windows, begin, end, true, false, &all, &sums);
	for (int state = 0; state < CSG_WAIT_STATES; state++)
		CU_ASSERT_EQUAL(sums.time[state], want.time[state]);
}

/* Wherever the last shard's own trace lies. */
static void shards_add_up_to_one(void)
{
	static const struct csg_slice_window cores[] = {{120, 900}, {230, 270}, {500, 900},
							{120, 130}, {0, 0},	{610, 900}};

	for (size_t i = 0; i < sizeof(cores) / sizeof(*cores); i++)
		check(&csg_slice_windows_all, cores[i].begin, cores[i].end,
		      (struct csg_wait_sums){{RUNNING = 80 + 49 + 99, HALTED = 40 + 100,
					      RUNNABLE = 11, BLOCKED = 101, UNKNOWN = 300}});
}

static void so_they_do_in_windows(void)
{
	struct csg_slice_window at[] = {{0, 210}, {390, 510}};
	const struct csg_slice_windows windows = {at, 2};

	check(&windows, 150, 500,
	      (struct csg_wait_sums){{RUNNING = 80 + 99, HALTED = 10 + 10, BLOCKED = 11}});
	check(&windows, 300, 350,
	      (struct csg_wait_sums){{RUNNING = 80 + 99, HALTED = 10 + 10, BLOCKED = 11}});
}

CSG_SUITE(timeline, wait_parts, CSG_TEST(shards_add_up_to_one), CSG_TEST(so_they_do_in_windows));
