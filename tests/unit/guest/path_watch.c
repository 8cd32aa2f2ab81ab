/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/path_watch.h"

#include <stdlib.h>

#include "suite.h"

static void a_stretch_counts_if_code_was_walked_in_it_and_nothing_contradicts(void)
{
	const struct csg_attribution_loss loss = {20, 30};
	struct csg_path_watch watch = {.windows = true};

	csg_path_watch_ends(&watch, 5);
	CU_ASSERT_EQUAL(watch.followed, 0);
	csg_path_watch_goes_on(&watch);
	csg_path_watch_ends(&watch, 10);
	csg_path_watch_goes_on(&watch);
	csg_path_watch_ends(&watch, 20);
	CU_ASSERT_EQUAL(watch.followed, 2);
	CU_ASSERT_EQUAL(watch.followed_to, 10);
	csg_path_watch_goes_on(&watch);
	CU_ASSERT_EQUAL(csg_path_watch_lose(&watch, &loss), 0);
	csg_path_watch_ends(&watch, 40);
	CU_ASSERT_EQUAL(watch.followed, 2);
	CU_ASSERT_EQUAL_FATAL(watch.losses.count, 1);
	CU_ASSERT_EQUAL(watch.losses.losses->end, 30);
	free(watch.losses.losses);
}

static void where_the_path_is_not_checked_nothing_is_kept(void)
{
	const struct csg_attribution_loss loss = {20, 30};
	struct csg_path_watch watch = {.windows = false};

	csg_path_watch_goes_on(&watch);
	csg_path_watch_ends(&watch, 10);
	CU_ASSERT_EQUAL(csg_path_watch_lose(&watch, &loss), 0);
	CU_ASSERT_EQUAL(watch.followed, 0);
	CU_ASSERT_EQUAL(watch.losses.count, 0);
}

static void gaps_that_nothing_but_a_loss_makes_contradict(void)
{
	struct csg_element e = {.kind = CSG_ELEMENT_GAP, .gap = CSG_GAP_UNDEFINED};

	CU_ASSERT(csg_path_contradicts(&e));
	e.gap = CSG_GAP_TRACE_ON;
	CU_ASSERT_FALSE(csg_path_contradicts(&e));
	e.gap = CSG_GAP_NO_CODE;
	e.start = 0x400000;
	CU_ASSERT_FALSE(csg_path_contradicts(&e));
	e.start = 0x080c9af7f9f00be0;
	CU_ASSERT(csg_path_contradicts(&e));
	e.kind = CSG_ELEMENT_RANGE;
	CU_ASSERT_FALSE(csg_path_contradicts(&e));
}

CSG_SUITE(guest, path_watch,
	  CSG_TEST(a_stretch_counts_if_code_was_walked_in_it_and_nothing_contradicts),
	  CSG_TEST(where_the_path_is_not_checked_nothing_is_kept),
	  CSG_TEST(gaps_that_nothing_but_a_loss_makes_contradict));
