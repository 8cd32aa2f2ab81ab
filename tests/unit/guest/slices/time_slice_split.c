/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/slices/time_slice_split.h"

#include <stdlib.h>
#include <string.h>

#include "suite.h"

#define INTERVALS 24

static struct csg_on_cpu intervals[INTERVALS];
static struct csg_time_slices slices;
static struct csg_time_slice_match m;

/*
 * Time slices that show user code (u) and others.  Every other interval is the idle thread's, which
 * runs none: two time slices with user code in a row, or with one that is neither between them,
 * have no place.
 */
static void split(const char *shown)
{
	static const struct csg_kvm_visit none;
	const struct csg_border_sight sight = {.known = false};

	for (size_t i = 0; i < INTERVALS; i++)
		intervals[i] = (struct csg_on_cpu){
			.from = 100 * i + 100, .until = 100 * i + 190, .tid = i % 2 ? 0 : 7};
	slices = (struct csg_time_slices){0};
	CU_ASSERT_EQUAL(csg_time_slices_sight(&slices, &sight), 0);
	slices.sight_count = 0;
	for (size_t i = 0; shown[i]; i++)
		CU_ASSERT_EQUAL(csg_time_slices_add(&slices, 10 * i, 10 * i + 10,
						    shown[i] == 'u' ? CSG_TIME_SLICE_USER : 0),
				0);
	m = (struct csg_time_slice_match){.slices = &slices,
					  .intervals = intervals,
					  .interval_count = INTERVALS,
					  .visits = &none};
	m.runs = calloc(1, sizeof(*m.runs));
	m.runs[0] = (struct csg_time_slice_run){.count = slices.count};
	m.run_count = m.run_capacity = 1;
	CU_ASSERT_EQUAL(csg_time_slice_runs_split(&m), 0);
}

static void end(void)
{
	free(m.runs);
	csg_time_slices_fini(&slices);
}

static bool is(size_t r, size_t slice, size_t count, uint8_t torn)
{
	return r < m.run_count && m.runs[r].slice == slice && m.runs[r].count == count &&
	       m.runs[r].torn == torn;
}

static size_t contradicted(void)
{
	size_t n = 0;

	for (size_t i = 0; i < slices.count; i++)
		n += slices.slices[i].events == CSG_TIME_SLICE_EVENTS_CONTRADICT;
	return n;
}

static void a_run_that_has_a_place_stays_whole(void)
{
	split("u u u u ");
	CU_ASSERT(m.run_count == 1 && is(0, 0, 8, 0));
	CU_ASSERT_EQUAL(contradicted(), 0);
	end();
}

static void a_slice_that_is_two_is_one_of_few(void)
{
	split("u u uu u u");
	/* The end of the fifth or the beginning of the sixth was lost. */
	CU_ASSERT(m.run_count == 2 && is(0, 0, 4, 1) && is(1, 6, 4, 1));
	CU_ASSERT_EQUAL(contradicted(), 2);
	CU_ASSERT_EQUAL(slices.slices[4].events, CSG_TIME_SLICE_EVENTS_CONTRADICT);
	CU_ASSERT_EQUAL(slices.slices[5].events, CSG_TIME_SLICE_EVENTS_CONTRADICT);
	end();
}

static void two_of_them_leave_a_run_between_them(void)
{
	split("u u uu u u uu u u");
	CU_ASSERT(m.run_count == 3 && is(0, 0, 4, 1) && is(1, 6, 5, 2) && is(2, 13, 4, 1));
	CU_ASSERT_EQUAL(contradicted(), 4);
	end();
}

static void many_in_a_short_run_are_no_damage(void)
{
	split("uuuu");
	CU_ASSERT(m.run_count == 1 && is(0, 0, 4, 0));
	CU_ASSERT_EQUAL(contradicted(), 0);
	end();
}

CSG_SUITE(guest_slices, time_slice_split, CSG_TEST(a_run_that_has_a_place_stays_whole),
	  CSG_TEST(a_slice_that_is_two_is_one_of_few),
	  CSG_TEST(two_of_them_leave_a_run_between_them),
	  CSG_TEST(many_in_a_short_run_are_no_damage));
