/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/time_blocks.h"

#include "suite.h"

#define OFFSET UINT64_C(50000000)
#define BLOCK UINT64_C(16384)
#define FROM (1000 * BLOCK) /* guest's counter: where a block begins */
#define TIMES 8

static const struct csg_owner guest = {.world = CSG_WORLD_GUEST, .vm = 10, .host_tid = 11};
static const struct csg_owner other = {
	.world = CSG_WORLD_HOST, .privilege = CSG_USER, .host_tid = 7, .tid = 7, .pid = 7};

struct rig {
	struct csg_residency residency;
	struct csg_vcpus vcpus;
	struct csg_host_clocks shared;
	struct csg_host_clock clock;
	struct csg_pending_item items[TIMES];
	struct csg_pending pending;
	struct csg_time_blocks blocks;
	bool resumed; /* before the next */
};

/* VM 10 has a vCPU in thread 11, which is on the CPU from one host time until another. */
static void rig_init(struct rig *r, uint64_t from, uint64_t until)
{
	const struct csg_offset_period said = {
		.offset = {OFFSET, OFFSET}, .until = UINT64_MAX, .sources = CSG_OFFSET_BY_USER};

	*r = (struct rig){.shared = {.conv = {.valid = true, .mult = 1}, .guests = true}};
	csg_vcpus_add(&r->vcpus, &(struct csg_vcpu_entry){.tid = 11, .vm = 10});
	csg_residency_in(&r->residency, 0, 1, 0, 0, 3);
	csg_residency_out(&r->residency, 0, from, 0, 0, 11);
	csg_residency_in(&r->residency, 0, from + 10, 10, 11, 0);
	csg_residency_out(&r->residency, 0, until - 10, 10, 11, 0);
	csg_residency_in(&r->residency, 0, until, 0, 0, 11);
	csg_residency_out(&r->residency, 0, UINT64_C(90000000), 0, 0, 3);
	csg_residency_settle(&r->residency, 0);
	r->shared.residency = &r->residency;
	r->shared.vcpus = &r->vcpus;
	r->pending.items = r->items;
	r->pending.queue.capacity = TIMES;
	csg_host_clock_init(&r->clock, &r->shared, 0, true);
	csg_host_clock_chunk(&r->clock, 1, 90000000, false);
	csg_offsets_observe(&r->shared.offsets, 10, &said);
}

static void rig_fini(struct rig *r)
{
	csg_host_clock_fini(&r->clock);
	csg_offsets_fini(&r->shared.offsets);
	csg_residency_fini(&r->residency);
	csg_vcpus_fini(&r->vcpus);
}

static void stamp(struct rig *r, uint64_t value, const struct csg_owner *owner)
{
	const uint64_t index = r->pending.queue.count + 1;

	r->items[csg_ring_push(&r->pending.queue)] =
		(struct csg_pending_item){.is_time = true,
					  .proof = CSG_TIME_INSIDE,
					  .index = index,
					  .timestamp = value,
					  .resumed = r->resumed,
					  .guest_tid = owner == &guest ? 11 : -1,
					  .host_tid = owner->host_tid};
	csg_host_clock_stamp(&r->clock, index, value, owner, true);
	csg_time_blocks_check(&r->blocks, &r->pending, &r->clock, r->pending.queue.count);
}

static void timestamps_close_to_the_next_block_are_right(void)
{
	struct rig r;

	rig_init(&r, OFFSET, OFFSET + FROM + 9 * BLOCK);
	stamp(&r, FROM + 10, &guest);
	stamp(&r, FROM + 20, &guest);
	CU_ASSERT_EQUAL(r.pending.checked, 0);
	stamp(&r, FROM + BLOCK + 5, &guest);
	CU_ASSERT_EQUAL(r.pending.checked, 2);
	CU_ASSERT_EQUAL(r.items[1].late, 0);
	rig_fini(&r);
}

/* The first timestamp of the block was sent with its upper bits. */
static void before_a_wait_with_the_thread_there_they_may_be_late(void)
{
	struct rig r;

	rig_init(&r, OFFSET, OFFSET + FROM + 9 * BLOCK);
	stamp(&r, FROM + 10, &guest);
	stamp(&r, FROM + 20, &guest);
	stamp(&r, FROM + 2 * BLOCK + 30, &guest);
	stamp(&r, FROM + OFFSET + 2 * BLOCK + 40, &other);
	CU_ASSERT_EQUAL(r.pending.checked, 3);
	CU_ASSERT_EQUAL(r.items[0].late, 0);
	CU_ASSERT_EQUAL(r.items[1].late, 2);
	CU_ASSERT_EQUAL(r.items[2].late, 0);
	rig_fini(&r);
}

/* It comes back so late that a block before that it is not there. */
static void where_the_thread_was_not_there_they_are_right(void)
{
	struct rig r;

	rig_init(&r, OFFSET, OFFSET + FROM + 4000);
	stamp(&r, FROM + 10, &guest);
	stamp(&r, FROM + 20, &guest);
	stamp(&r, FROM + OFFSET + 3 * BLOCK, &other);
	CU_ASSERT_EQUAL(r.pending.checked, 2);
	CU_ASSERT_EQUAL(r.items[1].late, 0);
	rig_fini(&r);
}

/* That is no more than the counter's offset. */
static void another_counter_soon_after_them_shows_that_they_are_right(void)
{
	struct rig r;

	rig_init(&r, OFFSET, OFFSET + FROM + 9 * BLOCK);
	stamp(&r, FROM + 10, &guest);
	stamp(&r, FROM + 20, &guest);
	stamp(&r, FROM + OFFSET + 60, &other);
	CU_ASSERT_EQUAL(r.pending.checked, 2);
	CU_ASSERT_EQUAL(r.items[1].late, 0);
	rig_fini(&r);
}

static void what_a_window_ends_with_is_right(void)
{
	struct rig r;

	rig_init(&r, OFFSET, OFFSET + FROM + 9 * BLOCK);
	stamp(&r, FROM + 10, &guest);
	stamp(&r, FROM + 20, &guest);
	r.resumed = true;
	stamp(&r, FROM + 2 * BLOCK + 30, &guest);
	CU_ASSERT_EQUAL(r.pending.checked, 2);
	CU_ASSERT_EQUAL(r.items[1].late, 0);
	rig_fini(&r);
}

CSG_SUITE(guest, time_blocks, CSG_TEST(timestamps_close_to_the_next_block_are_right),
	  CSG_TEST(what_a_window_ends_with_is_right),
	  CSG_TEST(before_a_wait_with_the_thread_there_they_may_be_late),
	  CSG_TEST(where_the_thread_was_not_there_they_are_right),
	  CSG_TEST(another_counter_soon_after_them_shows_that_they_are_right));
