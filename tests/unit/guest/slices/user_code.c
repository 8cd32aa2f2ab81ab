/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/slices/user_code.h"

#include "five_intervals.h"

/* Thread 11 had the first 16 pages, thread 22 the next ones, and so on. */
static bool had(void *arg, int32_t pid, uint64_t address)
{
	size_t *asked = arg;

	++*asked;
	return address >> 16 == (uint64_t)pid;
}

static void of_each_page_of_a_time_slice_one_address_is_kept(void)
{
	size_t asked = 0;
	struct csg_user_code c = {.may_have = had, .arg = &asked};

	CU_ASSERT_EQUAL(csg_user_code_see(&c, 0xb0000, 1), 0);
	CU_ASSERT_EQUAL(csg_user_code_see(&c, 0xb0ffc, 2), 0);
	CU_ASSERT_EQUAL(csg_user_code_see(&c, 0xb1000, 3), 0);
	CU_ASSERT_EQUAL(csg_user_code_see(&c, 0xb0010, 4), 0);
	CU_ASSERT_EQUAL(c.count, 2);
	csg_user_code_end(&c);
	CU_ASSERT_EQUAL(csg_user_code_see(&c, 0xb0010, 5), 0);
	CU_ASSERT_EQUAL(c.count, 3);
	csg_user_code_forget(&c);
	CU_ASSERT_EQUAL(c.count, 0);
	CU_ASSERT_EQUAL(csg_user_code_see(&c, 0xb0010, 6), 0);
	CU_ASSERT_EQUAL(c.count, 1);
	csg_user_code_fini(&c);
}

static void what_a_process_never_had_disproves_it_between_two_places(void)
{
	size_t asked = 0;
	struct csg_user_code c = {.may_have = had, .arg = &asked};

	CU_ASSERT_EQUAL(csg_user_code_see(&c, 0xb0000, 10), 0);
	CU_ASSERT_EQUAL(csg_user_code_see(&c, 0x160000, 20), 0);
	CU_ASSERT_PTR_NULL(csg_user_code_disproof(&c, 0, 20, 11));
	CU_ASSERT_PTR_NULL(csg_user_code_disproof(&c, 20, 30, 11));
	CU_ASSERT_EQUAL(csg_user_code_disproof(&c, 0, 21, 11), &c.pages[1]);
	CU_ASSERT_EQUAL(csg_user_code_disproof(&c, 0, 21, 22), &c.pages[0]);
	CU_ASSERT_PTR_NULL(csg_user_code_disproof(&c, 10, 21, 22));
	csg_user_code_fini(&c);
}

static void where_nobody_knows_what_processes_had_nothing_is_kept(void)
{
	struct csg_user_code c = {.may_have = NULL};

	CU_ASSERT_EQUAL(csg_user_code_see(&c, 0xb0000, 1), 0);
	CU_ASSERT_EQUAL(c.count, 0);
	csg_user_code_fini(&c);
}

/* Five time slices of 10 bytes each, in the third of which user code ran at an address. */
static void match_with(uint64_t address, const int32_t *tids, size_t disproofs)
{
	static const uint8_t shown[5] = {CSG_TIME_SLICE_APART, 0, CSG_TIME_SLICE_USER};
	struct csg_residency r;
	struct csg_time_slices t;
	size_t asked = 0;

	five_intervals(&r);
	show(&t, shown, 5);
	t.code.may_have = had;
	t.code.arg = &asked;
	CU_ASSERT_EQUAL(csg_user_code_see(&t.code, address, 25), 0);
	CU_ASSERT_EQUAL(csg_time_slices_match(&t, 0, &r, &nothing_reported, CPU, 100, 600), 0);
	CU_ASSERT(asked > 0);
	CU_ASSERT(named(&t, tids));
	CU_ASSERT_EQUAL_FATAL(t.disproof_count, disproofs);
	if (disproofs) {
		CU_ASSERT_EQUAL(t.disproofs[0].tid, 22);
		CU_ASSERT_EQUAL(t.disproofs[0].address, address);
		CU_ASSERT_EQUAL(t.disproofs[0].index, 25);
	}
	CU_ASSERT_EQUAL(t.code.count, 0);
	csg_time_slices_fini(&t);
	csg_residency_fini(&r);
}

static void a_row_that_user_code_disproves_is_nobodys(void)
{
	static const int32_t all[] = {11, 0, 22, 0, 33}, nobody[] = {-1, -1, -1, -1, -1};

	match_with(0x160000, all, 0);
	match_with(0xb0000, nobody, 1);
}

CSG_SUITE(guest_slices, user_code, CSG_TEST(of_each_page_of_a_time_slice_one_address_is_kept),
	  CSG_TEST(what_a_process_never_had_disproves_it_between_two_places),
	  CSG_TEST(where_nobody_knows_what_processes_had_nothing_is_kept),
	  CSG_TEST(a_row_that_user_code_disproves_is_nobodys));
