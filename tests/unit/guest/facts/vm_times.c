/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/vm_times.h"

#include <stdlib.h>

#include "two_vms.h"

static bool has(const struct csg_vm_times *t, uint64_t time)
{
	for (size_t i = 0; i < t->count; i++)
		if (t->times[i].from <= time && time <= t->times[i].until)
			return true;
	return false;
}

static struct csg_vm_times times_of(struct host *h, int32_t vm, int32_t tid)
{
	const struct csg_vm_times_of of = {.vm = vm, .tid = tid};
	struct csg_vm_times t;

	CU_ASSERT_EQUAL_FATAL(csg_vm_times_make(&h->facts, &of, &t), 0);
	return t;
}

/* A tick is a nanosecond. */
static void a_vm_may_run_while_its_threads_do_and_where_nobody_is_known(void)
{
	struct host h;
	struct csg_vm_times of_10, of_20, of_21;

	begin(&h);
	of_10 = times_of(&h, 10, CSG_PID_UNKNOWN);
	of_20 = times_of(&h, 20, CSG_PID_UNKNOWN);
	of_21 = times_of(&h, 20, 21);
	CU_ASSERT_EQUAL(of_10.begin, 20000000);
	CU_ASSERT(of_10.end > of_10.begin);
	CU_ASSERT(has(&of_10, 20002000));
	CU_ASSERT_FALSE(has(&of_20, 20002000));
	CU_ASSERT_FALSE(has(&of_21, 20002000));
	CU_ASSERT(has(&of_10, 1000) && has(&of_20, 1000) && has(&of_20, of_20.end + 1000));
	CU_ASSERT_EQUAL(of_20.count, of_21.count);
	for (size_t i = 1; i < of_10.count; i++)
		CU_ASSERT(of_10.times[i - 1].until < of_10.times[i].from);
	free(of_10.times);
	free(of_20.times);
	free(of_21.times);
	end(&h);
}

static void records_cover_what_lies_between_them_by_any_offset(void)
{
	const struct csg_vm_times t = {.begin = 1000, .end = 2000};

	CU_ASSERT(csg_vm_times_cover(&t, &(struct csg_offset){-10, 10}, 1010, 1990));
	CU_ASSERT_FALSE(csg_vm_times_cover(&t, &(struct csg_offset){-10, 10}, 1009, 1990));
	CU_ASSERT_FALSE(csg_vm_times_cover(&t, &(struct csg_offset){-10, 10}, 1010, 1991));
	CU_ASSERT_FALSE(csg_vm_times_cover(&t, &(struct csg_offset){-3000, -3000}, 1500, 1500));
}

static void a_record_is_rounded_by_two_ticks(void)
{
	uint64_t low, high;

	csg_vm_times_counter(&host_clock, 500, &low, &high);
	CU_ASSERT_EQUAL(low, 498);
	CU_ASSERT_EQUAL(high, 503);
	csg_vm_times_counter(&host_clock, 1, &low, &high);
	CU_ASSERT_EQUAL(low, 0);
}

CSG_SUITE(guest_facts, vm_times,
	  CSG_TEST(a_vm_may_run_while_its_threads_do_and_where_nobody_is_known),
	  CSG_TEST(records_cover_what_lies_between_them_by_any_offset),
	  CSG_TEST(a_record_is_rounded_by_two_ticks));
