/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "waits/switching.h"

static struct csg_wait_ran *rows;
static size_t row_count;

static void ask(int32_t vm, uint64_t from, uint64_t until)
{
	CU_ASSERT_EQUAL_FATAL(csg_waits_ran_instead(&waits, vm, from, until, &rows, &row_count), 0);
}

static void drop(void)
{
	free(rows);
	csg_waits_fini(&waits);
}

/* Threads 7 and 21 run while 11 is preempted; 8 while it is blocked. */
static void record(void)
{
	begin();
	in(0, 100, 11, 7);
	switch_to(0, 150, 11, 7, CSG_LEAVE_PREEMPTED);
	switch_to(0, 170, 7, 21, CSG_LEAVE_PREEMPTED);
	switch_to(0, 200, 21, 7, CSG_LEAVE_BLOCKED);
	switch_to(0, 220, 7, 11, CSG_LEAVE_BLOCKED);
	switch_to(0, 250, 11, 8, CSG_LEAVE_BLOCKED);
	switch_to(0, 300, 8, 11, CSG_LEAVE_BLOCKED);
}

static void who_has_the_cpu_of_a_preempted_thread_runs_instead(void)
{
	record();
	finish();
	ask(10, 0, 1000);
	CU_ASSERT_EQUAL_FATAL(row_count, 2);
	CU_ASSERT_EQUAL(rows[0].tid, 7);
	CU_ASSERT_EQUAL(rows[0].time, 20 + 20);
	CU_ASSERT_EQUAL(rows[1].tid, 21);
	CU_ASSERT_EQUAL(rows[1].pid, 20);
	CU_ASSERT_EQUAL(rows[1].time, 30);
	drop();
}

static void what_is_asked_for_is_cut_to_a_time(void)
{
	record();
	finish();
	DID(11, 160, 180, PREEMPTED = 20);
	DID(11, 240, 310, RUNNING = 10 + 9, BLOCKED = 51);
	ask(10, 160, 180);
	CU_ASSERT_EQUAL_FATAL(row_count, 2);
	CU_ASSERT_EQUAL(rows[0].time, 10);
	CU_ASSERT_EQUAL(rows[1].time, 10);
	drop();
}

static void note_state(void *arg, enum csg_wait_state state, uint64_t from, uint64_t until)
{
	char *text = arg;
	size_t n = strlen(text);

	snprintf(text + n, 256 - n, "%s %d-%d ", csg_wait_state_name(state), (int)from, (int)until);
}

static void states_come_one_by_one(void)
{
	char text[256] = "";

	record();
	finish();
	csg_waits_each(&waits, 10, 11, 90, 240, note_state, text);
	CU_ASSERT_STRING_EQUAL(text, "no_record 90-100 running 100-150 preempted 150-221 "
				     "running 221-240 ");
	CU_ASSERT_EQUAL(csg_waits_born(&waits, 10, 11, 90), 90);
	csg_waits_fini(&waits);
}

static void nobody_runs_instead_of_who_blocks(void)
{
	record();
	finish();
	ask(20, 0, 1000);
	CU_ASSERT_EQUAL(row_count, 0);
	free(rows);
	ask(10, 250, 1000);
	CU_ASSERT_EQUAL(row_count, 0);
	drop();
}

static void where_a_thread_waited_that_moved_is_not_known(void)
{
	begin();
	in(0, 100, 11, 7);
	switch_to(0, 150, 11, 7, CSG_LEAVE_PREEMPTED);
	in(1, 220, 11, 0);
	switch_to(0, 230, 7, 0, CSG_LEAVE_BLOCKED);
	finish();
	DID(11, 100, 300, RUNNING = 130, PREEMPTED = 70);
	ask(10, 0, 1000);
	CU_ASSERT_EQUAL(row_count, 0);
	drop();
}

static void nor_is_it_where_records_are_missing(void)
{
	struct csg_sideband_event lost = event_of(CSG_SIDEBAND_LOST, 1, 190, -1);

	begin();
	in(1, 90, 12, 0);
	in(0, 100, 11, 7);
	switch_to(0, 150, 11, 7, CSG_LEAVE_PREEMPTED);
	out(1, 160, 12, 0, CSG_LEAVE_BLOCKED);
	add(&lost);
	switch_to(0, 220, 7, 11, CSG_LEAVE_BLOCKED);
	finish();
	DID(11, 150, 221, PREEMPTED = 10, UNKNOWN = 61);
	ask(10, 0, 1000);
	CU_ASSERT_EQUAL(row_count, 0);
	drop();
}

/* Two threads of a VM wait for one CPU: each of them is delayed. */
static void who_has_the_cpu_of_a_runnable_thread_runs_instead(void)
{
	const struct csg_sideband_event wake = {
		.kind = CSG_SIDEBAND_WAKE, .cpu = 0, .time = 170, .pid = -1, .tid = 11};

	begin();
	in(0, 100, 11, 7);
	switch_to(0, 150, 11, 7, CSG_LEAVE_BLOCKED);
	add(&wake);
	switch_to(0, 200, 7, 11, CSG_LEAVE_PREEMPTED);
	finish();
	ask(10, 0, 1000);
	CU_ASSERT_EQUAL_FATAL(row_count, 1);
	CU_ASSERT_EQUAL(rows[0].tid, 7);
	CU_ASSERT_EQUAL(rows[0].time, 30); /* since it was woken */
	drop();
}

static void each_thread_that_waits_counts(void)
{
	begin();
	in(0, 100, 11, 7);
	switch_to(0, 110, 11, 12, CSG_LEAVE_PREEMPTED);
	switch_to(0, 120, 12, 7, CSG_LEAVE_PREEMPTED);
	switch_to(0, 150, 7, 11, CSG_LEAVE_PREEMPTED);
	switch_to(0, 160, 11, 12, CSG_LEAVE_PREEMPTED);
	finish();
	ask(10, 0, 1000);
	CU_ASSERT_EQUAL_FATAL(row_count, 3);
	CU_ASSERT_EQUAL(rows[0].tid, 7);
	CU_ASSERT_EQUAL(rows[0].time, 30 + 30);
	CU_ASSERT_EQUAL(rows[1].tid, 11);
	CU_ASSERT_EQUAL(rows[1].time, 10);
	CU_ASSERT_EQUAL(rows[2].tid, 12);
	CU_ASSERT_EQUAL(rows[2].time, 10);
	drop();
}

CSG_SUITE(waits, wait_times, CSG_TEST(who_has_the_cpu_of_a_runnable_thread_runs_instead),
	  CSG_TEST(states_come_one_by_one),
	  CSG_TEST(who_has_the_cpu_of_a_preempted_thread_runs_instead),
	  CSG_TEST(what_is_asked_for_is_cut_to_a_time), CSG_TEST(nobody_runs_instead_of_who_blocks),
	  CSG_TEST(where_a_thread_waited_that_moved_is_not_known),
	  CSG_TEST(nor_is_it_where_records_are_missing), CSG_TEST(each_thread_that_waits_counts));
