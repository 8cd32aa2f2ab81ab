/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/conflicts.h"

#include "suite.h"

static const struct csg_owner host_user = {
	.world = CSG_WORLD_HOST, .privilege = CSG_USER, .host_tid = 7, .tid = 7, .pid = 7};

struct rig {
	struct csg_vcpus vcpus;
	struct csg_residency residency;
	struct csg_host_clocks shared;
	struct csg_host_clock clock;
	struct csg_conflicts conflicts;
	struct csg_contradictions list;
};

/* Timestamps at the indices 10, 20, ..., 10 ns apart. */
static void rig_init(struct rig *r, unsigned int stamps)
{
	*r = (struct rig){.shared = {.conv = {.valid = true, .mult = 10}}};
	r->shared.vcpus = &r->vcpus;
	r->shared.residency = &r->residency;
	csg_host_clock_init(&r->clock, &r->shared, 0, true);
	csg_host_clock_chunk(&r->clock, 1, 90000, false);
	for (unsigned int n = 1; n <= stamps; n++)
		csg_host_clock_stamp(&r->clock, 10 * n, 1000 + n, &host_user, true);
}

static void rig_fini(struct rig *r)
{
	csg_host_clock_fini(&r->clock);
	csg_offsets_fini(&r->shared.offsets);
	csg_conflicts_fini(&r->conflicts);
	csg_contradictions_fini(&r->list);
}

static void take(struct rig *r, uint64_t begin, uint64_t end, uint64_t stamp)
{
	const struct csg_contradiction one = {.begin = begin, .end = end};

	CU_ASSERT_EQUAL(csg_conflicts_take(&r->conflicts, &one, stamp, 5, &r->list), 0);
}

static void it_gets_the_times_of_the_timestamps_before_it(void)
{
	struct rig r;

	rig_init(&r, 4);
	take(&r, 15, 17, 10);
	take(&r, 15, 33, 30);
	CU_ASSERT_EQUAL(csg_conflicts_pass(&r.conflicts, &r.clock, UINT64_MAX, &r.list), 0);
	CU_ASSERT_EQUAL_FATAL(r.list.count, 1);
	CU_ASSERT_EQUAL(r.list.list[0].begin, 15);
	CU_ASSERT_EQUAL(r.list.list[0].end, 33);
	CU_ASSERT_EQUAL(r.list.list[0].begin_time, 10010);
	CU_ASSERT_EQUAL(r.list.list[0].end_time, 10030);
	CU_ASSERT_EQUAL(r.conflicts.count, 0);
	rig_fini(&r);
}

static void it_waits_for_them(void)
{
	struct rig r;

	rig_init(&r, 1);
	take(&r, 25, 27, 20);
	CU_ASSERT_EQUAL(csg_conflicts_pass(&r.conflicts, &r.clock, 10, &r.list), 0);
	CU_ASSERT_EQUAL(r.list.count, 0);
	csg_host_clock_stamp(&r.clock, 20, 1002, &host_user, true);
	csg_host_clock_stamp(&r.clock, 30, 1003, &host_user, true);
	csg_host_clock_settle(&r.clock);
	CU_ASSERT_EQUAL(csg_conflicts_pass(&r.conflicts, &r.clock, 30, &r.list), 0);
	CU_ASSERT_EQUAL_FATAL(r.list.count, 1);
	CU_ASSERT_EQUAL(r.list.list[0].begin_time, 10020);
	rig_fini(&r);
}

static void where_no_timestamp_tells_its_piece_does(void)
{
	struct rig r;

	rig_init(&r, 0);
	take(&r, 25, 27, 0);
	CU_ASSERT_EQUAL(csg_conflicts_pass(&r.conflicts, &r.clock, UINT64_MAX, &r.list), 0);
	CU_ASSERT_EQUAL_FATAL(r.list.count, 1);
	CU_ASSERT_EQUAL(r.list.list[0].begin_time, 5);
	CU_ASSERT_EQUAL(r.list.list[0].end_time, 0);
	rig_fini(&r);
}

static void none_is_dropped_when_too_many_wait(void)
{
	struct rig r;

	rig_init(&r, 0);
	for (uint64_t n = 1; n <= 3 * CSG_CONFLICTS; n++)
		take(&r, n, n, 0);
	CU_ASSERT_EQUAL(csg_conflicts_pass(&r.conflicts, &r.clock, UINT64_MAX, &r.list), 0);
	CU_ASSERT_EQUAL(r.list.count, 3 * CSG_CONFLICTS);
	rig_fini(&r);
}

CSG_SUITE(guest, conflicts, CSG_TEST(it_gets_the_times_of_the_timestamps_before_it),
	  CSG_TEST(it_waits_for_them), CSG_TEST(where_no_timestamp_tells_its_piece_does),
	  CSG_TEST(none_is_dropped_when_too_many_wait));
