/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls/exit_waits.h"

#include "waits/switching.h"

static void record(void)
{
	begin();
	in(0, 100, 11, 7);
	switch_to(0, 150, 11, 7, CSG_LEAVE_PREEMPTED);
	switch_to(0, 170, 7, 11, CSG_LEAVE_BLOCKED);
	switch_to(0, 200, 11, 0, CSG_LEAVE_BLOCKED);
	switch_to(0, 260, 0, 11, CSG_LEAVE_PREEMPTED);
	finish();
}

/* Of one exit, of row 1: what came to the rows. */
static void split(const struct csg_exit_note *note, struct csg_wait_sums sums[2])
{
	struct csg_exit_notes notes = {0};

	CU_ASSERT_EQUAL_FATAL(csg_exit_notes_add(&notes, note), 0);
	csg_exit_notes_split(&notes, &waits, sums, sizeof(*sums));
	csg_exit_notes_fini(&notes);
}

static void an_exit_is_split_by_what_its_thread_did(void)
{
	const struct csg_exit_note note = {.begin = 140, .end = 270, .vm = 10, .tid = 11, .row = 1};
	struct csg_wait_sums sums[2] = {{{0}}};

	record();
	split(&note, sums);
	CU_ASSERT_EQUAL(sums[1].time[CSG_WAIT_RUNNING], 10 + 29 + 9);
	CU_ASSERT_EQUAL(sums[1].time[CSG_WAIT_PREEMPTED], 21);
	CU_ASSERT_EQUAL(sums[1].time[CSG_WAIT_BLOCKED], 61);
	CU_ASSERT_EQUAL(sums[1].time[CSG_WAIT_UNKNOWN], 0);
	CU_ASSERT_EQUAL(sums[0].time[CSG_WAIT_RUNNING], 0);
	csg_waits_fini(&waits);
}

static void of_a_thread_that_is_not_known_nothing_is(void)
{
	const struct csg_exit_note note = {.begin = 140, .end = 270, .vm = 10, .tid = -1, .row = 1};
	struct csg_wait_sums sums[2] = {{{0}}};

	record();
	split(&note, sums);
	CU_ASSERT_EQUAL(sums[1].time[CSG_WAIT_UNKNOWN], 130);
	CU_ASSERT_EQUAL(sums[1].time[CSG_WAIT_RUNNING], 0);
	csg_waits_fini(&waits);
}

static void notes_are_kept_in_order(void)
{
	struct csg_exit_notes notes = {0};

	for (uint32_t i = 0; i < 100; i++)
		CU_ASSERT_EQUAL(csg_exit_notes_add(&notes, &(struct csg_exit_note){.row = i}), 0);
	CU_ASSERT_EQUAL_FATAL(notes.count, 100);
	CU_ASSERT_EQUAL(notes.notes[57].row, 57);
	csg_exit_notes_fini(&notes);
	CU_ASSERT_PTR_NULL(notes.notes);
}

CSG_SUITE(calls, exit_waits, CSG_TEST(an_exit_is_split_by_what_its_thread_did),
	  CSG_TEST(of_a_thread_that_is_not_known_nothing_is), CSG_TEST(notes_are_kept_in_order));
