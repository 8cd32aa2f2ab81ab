/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/process_lives.h"

#include "csguest/owner.h"
#include "suite.h"

static void a_process_is_found_by_pid_and_time(void)
{
	struct csg_process_lives l = {0};
	struct csg_process_life *lives;

	CU_ASSERT_EQUAL(csg_process_number(&l, 7, 50), 7);
	CU_ASSERT_EQUAL_FATAL(csg_process_lives_add(&l, 7, 10), 0);
	l.lives[0].until = 20;
	CU_ASSERT_EQUAL_FATAL(csg_process_lives_add(&l, 7, 30), 0);
	l.lives[1].number = 7 + CSG_VM_AGAIN;
	CU_ASSERT_EQUAL_FATAL(csg_process_lives_add(&l, 9, 0), 0);
	CU_ASSERT_EQUAL(csg_process_lives_of(&l, 7, &lives), 2);
	CU_ASSERT_PTR_EQUAL(lives, l.lives);
	CU_ASSERT_EQUAL(csg_process_lives_of(&l, 8, &lives), 0);
	CU_ASSERT_PTR_NULL(csg_process_life_at(&l, 7, 9));
	CU_ASSERT_PTR_EQUAL(csg_process_life_at(&l, 7, 10), &l.lives[0]);
	CU_ASSERT_PTR_EQUAL(csg_process_life_at(&l, 7, 20), &l.lives[0]);
	CU_ASSERT_PTR_NULL(csg_process_life_at(&l, 7, 21));
	CU_ASSERT_EQUAL(csg_process_number(&l, 7, 20), 7);
	CU_ASSERT_EQUAL(csg_process_number(&l, 7, 25), CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(csg_process_number(&l, 7, UINT64_MAX), 7 + CSG_VM_AGAIN);
	CU_ASSERT_EQUAL(csg_process_number(&l, 8, 25), 8);
	csg_process_lives_fini(&l);
}

CSG_SUITE(guest_facts, process_lives, CSG_TEST(a_process_is_found_by_pid_and_time));
