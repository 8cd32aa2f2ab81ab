/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/dated_findings.h"

#include "suite.h"

static const struct csg_owner host_user = {
	.world = CSG_WORLD_HOST, .privilege = CSG_USER, .host_tid = 7, .tid = 7, .pid = 7};

struct rig {
	struct csg_vcpus vcpus;
	struct csg_residency residency;
	struct csg_host_clocks shared;
	struct csg_host_clock clock;
	struct csg_undated undated;
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
}

static void a_place_gets_the_time_of_the_timestamp_before_it(void)
{
	struct csg_assumption_place one = {.index = 25, .time = 5}, at = {.index = 10, .time = 5};
	struct rig r;

	rig_init(&r, 4);
	csg_undated_take(&r.undated, &one);
	csg_undated_take(&r.undated, &at);
	csg_undated_date(&r.undated, &r.clock, 40);
	CU_ASSERT_EQUAL(one.time, 10020);
	CU_ASSERT_EQUAL(at.time, 10010);
	CU_ASSERT_EQUAL(r.undated.count, 0);
	rig_fini(&r);
}

static void it_waits_for_the_clock(void)
{
	struct csg_assumption_place one = {.index = 35, .time = 5};
	struct rig r;

	rig_init(&r, 2);
	csg_undated_take(&r.undated, &one);
	csg_undated_date(&r.undated, &r.clock, 20);
	CU_ASSERT_EQUAL(r.undated.count, 1);
	CU_ASSERT_EQUAL(one.time, 5);
	csg_undated_date(&r.undated, &r.clock, UINT64_MAX);
	CU_ASSERT_EQUAL(r.undated.count, 0);
	CU_ASSERT_EQUAL(one.time, 10020);
	rig_fini(&r);
}

static void before_all_timestamps_it_keeps_the_time_of_its_piece(void)
{
	struct csg_assumption_place one = {.index = 4, .time = 5};
	struct rig r;

	rig_init(&r, 2);
	csg_undated_take(&r.undated, &one);
	csg_undated_date(&r.undated, &r.clock, 20);
	CU_ASSERT_EQUAL(r.undated.count, 0);
	CU_ASSERT_EQUAL(one.time, 5);
	rig_fini(&r);
}

CSG_SUITE(guest_facts, dated_findings, CSG_TEST(a_place_gets_the_time_of_the_timestamp_before_it),
	  CSG_TEST(it_waits_for_the_clock),
	  CSG_TEST(before_all_timestamps_it_keeps_the_time_of_its_piece));
