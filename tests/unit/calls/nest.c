/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <stdio.h>
#include <string.h>

#include "calls/nest.h"

static char seen[256];

static void write(void *arg, bool entry, uint64_t time, size_t depth, uint64_t what)
{
	const size_t n = strlen(seen);

	(void)arg;
	snprintf(seen + n, sizeof(seen) - n, "%s%d@%d:%d ", entry ? "+" : "-", (int)what, (int)time,
		 (int)depth);
}

/* 1 from 10 to 50, in it 2 from 20 to 30; what the windows show of them. */
static const char *nest_in(struct csg_slice_window *at, size_t n)
{
	const struct csg_slice_windows windows = {at, n};
	const struct csg_nest_client client = {.windows = &windows, .event = write};
	struct csg_nest nest = {0};

	seen[0] = 0;
	csg_nest_leave(&nest, &client, 5);
	CU_ASSERT_EQUAL(csg_nest_enter(&nest, &client, 10, 1), 0);
	CU_ASSERT_EQUAL(csg_nest_enter(&nest, &client, 20, 2), 0);
	csg_nest_leave(&nest, &client, 30);
	csg_nest_leave(&nest, &client, 50);
	csg_nest_fini(&nest);
	return seen;
}

static void one_window_of_all_times_shows_all(void)
{
	struct csg_slice_window all[] = {{0, UINT64_MAX}};

	CU_ASSERT_STRING_EQUAL(nest_in(all, 1), "+1@10:0 +2@20:1 -2@30:1 -1@50:0 ");
}

static void what_is_open_is_cut_at_the_ends(void)
{
	struct csg_slice_window inner[] = {{15, 25}}, between[] = {{35, 40}};

	CU_ASSERT_STRING_EQUAL(nest_in(inner, 1), "+1@15:0 +2@20:1 -2@25:1 -1@25:0 ");
	/* No call begins or ends in it. */
	CU_ASSERT_STRING_EQUAL(nest_in(between, 1), "+1@35:0 -1@40:0 ");
}

static void each_window_has_pairs(void)
{
	struct csg_slice_window two[] = {{0, 12}, {22, 45}}, late[] = {{50, 60}};
	struct csg_slice_window ends_at_a_call[] = {{0, 20}};

	CU_ASSERT_STRING_EQUAL(nest_in(two, 2), "+1@10:0 -1@12:0 +1@22:0 +2@22:1 -2@30:1 -1@45:0 ");
	CU_ASSERT_STRING_EQUAL(nest_in(late, 1), "+1@50:0 -1@50:0 ");
	CU_ASSERT_STRING_EQUAL(nest_in(late, 0), "");
	CU_ASSERT_STRING_EQUAL(nest_in(ends_at_a_call, 1), "+1@10:0 -1@20:0 ");
}

CSG_SUITE(calls, nest, CSG_TEST(one_window_of_all_times_shows_all),
	  CSG_TEST(what_is_open_is_cut_at_the_ends), CSG_TEST(each_window_has_pairs));
