/* SPDX-License-Identifier: BSD-3-Clause */
#include "clock/stamps.h"

#include <stdlib.h>

#include "encoder/random.h"
#include "stamp_rig.h"

static void a_physical_timestamp_that_goes_back_is_a_conflict(void)
{
	struct rig r;

	rig_init(&r, NULL, NULL);
	csg_stamps_begin(&r.stamps, 100, 9000000);
	stamp(&r, 5000000, CSG_STAMP_PHYSICAL);
	stamp(&r, 4000030, CSG_STAMP_LOADED);
	stamp(&r, 4000050, CSG_STAMP_PHYSICAL); /* it was loaded all the time */
	CU_ASSERT_EQUAL(r.stamps.conflicts, 1);
	CU_ASSERT_TRUE(is_at(&r, 30, 100, 9000000));
	stamp(&r, 5000070, CSG_STAMP_PHYSICAL);
	CU_ASSERT_TRUE(is_at(&r, 40, 5000070, 5000070));
	stamp(&r, 9000001, CSG_STAMP_PHYSICAL); /* after the end of the piece */
	CU_ASSERT_EQUAL(r.stamps.conflicts, 2);
	rig_fini(&r);
}

static void upper_bits_of_one_that_goes_back_say_nothing_beside_it(void)
{
	const uint64_t block = 4 << CSG_STAMP_BLOCK_BITS;
	struct rig r;

	rig_init(&r, NULL, NULL);
	csg_stamps_begin(&r.stamps, 100, 9000000);
	stamp(&r, 1050000 - OFFSET, CSG_STAMP_LOADED);
	stamp(&r, 1050000, CSG_STAMP_PHYSICAL);
	stamp(&r, block - 10, CSG_STAMP_EITHER);
	stamp(&r, block + 10, CSG_STAMP_EITHER);
	stamp(&r, block + 20, CSG_STAMP_PHYSICAL);
	CU_ASSERT_EQUAL(r.stamps.conflicts, 1);
	stamp(&r, block + 30, CSG_STAMP_EITHER);
	stamp(&r, block + 40, CSG_STAMP_PHYSICAL);
	CU_ASSERT_TRUE(is_at(&r, 40, 1050000, 9000000));
	CU_ASSERT_TRUE(is_at(&r, 60, 100, 9000000));
	CU_ASSERT_TRUE(is_at(&r, 70, 100, 9000000));
	/* A guest that was taken for a process of the host: its own are right. */
	stamp(&r, block + 50, CSG_STAMP_LOADED);
	csg_stamps_settle(&r.stamps);
	CU_ASSERT_FALSE(is_at(&r, 80, 100, 9000000));
	/* A packet has changed them. */
	stamp(&r, 20 * block, CSG_STAMP_PHYSICAL);
	CU_ASSERT_EQUAL(r.stamps.conflicts, 1);
	CU_ASSERT_TRUE(is_at(&r, 90, 20 * block, 20 * block));
	rig_fini(&r);
}

/* Of those that wait for it. */
static void before_one_that_goes_back_others_of_its_upper_bits_are_doubted(void)
{
	const uint64_t block = 4 << CSG_STAMP_BLOCK_BITS;
	static const uint8_t may[] = {CSG_STAMP_LOADED, CSG_STAMP_LOADED, 0, CSG_STAMP_LOADED};
	struct csg_stamp seen;
	struct rig r;

	rig_init(&r, NULL, NULL);
	csg_stamps_begin(&r.stamps, 100, 9000000);
	stamp(&r, 1050000, CSG_STAMP_PHYSICAL);
	stamp(&r, block + 5, CSG_STAMP_EITHER);
	stamp(&r, 9 * block, CSG_STAMP_EITHER); /* upper bits were sent */
	stamp(&r, block + 10, CSG_STAMP_EITHER);
	stamp(&r, block + 20, CSG_STAMP_LOADED);
	stamp(&r, block + 30, CSG_STAMP_PHYSICAL);
	CU_ASSERT_EQUAL(r.stamps.conflicts, 1);
	for (size_t i = 0; i < 4; i++) {
		CU_ASSERT_FATAL(csg_stamps_find(&r.stamps, 20 + 10 * i, &seen));
		CU_ASSERT_EQUAL(seen.may, may[i]);
	}
	rig_fini(&r);
}

static void a_timestamp_of_zero_and_nonsense_say_nothing(void)
{
	struct rig r;

	rig_init(&r, NULL, NULL);
	csg_stamps_begin(&r.stamps, 0, UINT64_MAX);
	stamp(&r, 5000000, CSG_STAMP_PHYSICAL);
	stamp(&r, 0, CSG_STAMP_PHYSICAL);
	stamp(&r, UINT64_MAX, CSG_STAMP_LOADED);
	stamp(&r, UINT64_C(1) << 62, CSG_STAMP_EITHER);
	stamp(&r, 5000010, CSG_STAMP_PHYSICAL);
	CU_ASSERT_EQUAL(r.stamps.conflicts, 0);
	CU_ASSERT_TRUE(is_at(&r, 20, 5000000, 5000010));
	CU_ASSERT_TRUE(is_at(&r, 30, 5000000, 5000010));
	CU_ASSERT_PTR_NULL(csg_offsets_of(&r.offsets, VM));
	rig_fini(&r);
}

static void timestamps_that_nobody_asks_for_are_kept_in_bounds(void)
{
	struct rig r;

	rig_init(&r, NULL, NULL);
	csg_stamps_begin(&r.stamps, 0, UINT64_MAX);
	for (uint64_t i = 1; i < 200000; i++)
		stamp(&r, i, i % 1000 ? CSG_STAMP_LOADED : CSG_STAMP_PHYSICAL);
	CU_ASSERT_TRUE(r.stamps.capacity <= 1 << 17);
	CU_ASSERT_TRUE(r.stamps.dropped > 100000);
	rig_fini(&r);
}

/* --- whatever happens, what is said is true --- */

struct machine {
	struct csg_enc_random random;
	int64_t offset[3]; /* of VM 0 (the host), 1 and 2 */
	uint64_t now, index;
	uint64_t truth[1 << 14];
	size_t n;
};

static void tick(struct machine *m, struct rig *r, int32_t vm, bool loaded, uint8_t may)
{
	m->now += csg_enc_random_below(&m->random, 300);
	if (m->n == 1 << 14 || !csg_enc_random_below(&m->random, 3))
		return; /* not every moment is stamped */
	m->truth[m->n++] = m->now;
	csg_stamps_add(&r->stamps, m->n, m->now - (uint64_t)(loaded ? m->offset[vm] : 0), true);
	csg_stamps_tell(&r->stamps, m->n + 1, may, vm);
}

/* A vCPU thread comes, loads, runs its guest for a while, puts and goes. */
static void visit(struct machine *m, struct rig *r, int32_t vm)
{
	for (unsigned int i = csg_enc_random_below(&m->random, 4); i; i--)
		tick(m, r, vm, false, CSG_STAMP_EITHER);
	for (unsigned int i = csg_enc_random_below(&m->random, 20); i; i--)
		tick(m, r, vm, true,
		     csg_enc_random_below(&m->random, 2) ? CSG_STAMP_LOADED : CSG_STAMP_EITHER);
	for (unsigned int i = csg_enc_random_below(&m->random, 4); i; i--)
		tick(m, r, vm, false, CSG_STAMP_EITHER);
	for (unsigned int i = csg_enc_random_below(&m->random, 4); i; i--)
		tick(m, r, 0, false, CSG_STAMP_PHYSICAL);
}

static void check_offsets(const struct machine *m, const struct rig *r)
{
	for (int32_t vm = 1; vm <= 2; vm++) {
		struct csg_offset offset;

		if (!csg_offsets_find(&r->offsets, vm, m->now, &offset))
			continue;
		CU_ASSERT_TRUE(offset.low <= m->offset[vm] && m->offset[vm] <= offset.high);
	}
}

static void wander(uint64_t seed, bool changes, uint64_t *conflicts)
{
	static struct machine m;
	struct csg_stamp stamp;
	struct rig r;

	m = (struct machine){.now = 1 << 30};
	m.random.state = seed * 0x9e3779b97f4a7c15;
	m.offset[1] = (int64_t)csg_enc_random_below(&m.random, 1 << 28) - (1 << 27);
	m.offset[2] = csg_enc_random_below(&m.random, 1 << 12);
	rig_init(&r, NULL, NULL);
	csg_stamps_begin(&r.stamps, csg_enc_random_below(&m.random, 2) ? m.now : 0, UINT64_MAX);
	for (unsigned int i = 0; i < 300; i++) {
		visit(&m, &r, 1 + (int32_t)csg_enc_random_below(&m.random, 2));
		if (changes && i == 150) {
			/* Migrated; a host's process runs on either side of it. */
			m.now += 1000;
			tick(&m, &r, 0, false, CSG_STAMP_PHYSICAL);
			m.offset[1] += 1 << 26;
		}
	}
	csg_stamps_settle(&r.stamps);
	check_offsets(&m, &r);
	for (size_t i = 0; i < m.n; i++)
		if (csg_stamps_find(&r.stamps, i + 1, &stamp))
			CU_ASSERT_TRUE(stamp.low <= m.truth[i] && m.truth[i] <= stamp.high);
	*conflicts += r.stamps.conflicts;
	if (changes)
		CU_ASSERT_TRUE(csg_offsets_of(&r.offsets, 1)->count >= 2);
	rig_fini(&r);
}

/* One after the other or not, of those that are forgotten and those that never were. */
static void a_timestamp_is_found_in_any_order(void)
{
	struct csg_stamp none;
	struct rig r;

	rig_init(&r, NULL, NULL);
	csg_stamps_begin(&r.stamps, 0, UINT64_MAX);
	for (uint64_t i = 1; i <= 100; i++)
		stamp(&r, 1000 * i, CSG_STAMP_PHYSICAL);
	for (uint64_t i = 1; i <= 100; i++)
		CU_ASSERT(is_at(&r, 10 * i, 1000 * i, 1000 * i));
	for (uint64_t i = 100; i; i--)
		CU_ASSERT(is_at(&r, 10 * (i * 37 % 101), 1000 * (i * 37 % 101),
				1000 * (i * 37 % 101)));
	CU_ASSERT_FALSE(csg_stamps_find(&r.stamps, 505, &none));
	csg_stamps_forget(&r.stamps, 500);
	CU_ASSERT(is_at(&r, 510, 51000, 51000));
	CU_ASSERT_FALSE(csg_stamps_find(&r.stamps, 490, &none));
	CU_ASSERT(is_at(&r, 1000, 100000, 100000));
	CU_ASSERT_FALSE(csg_stamps_find(&r.stamps, 1010, &none));
	CU_ASSERT(is_at(&r, 500, 50000, 50000));
	rig_fini(&r);
}

static void what_is_said_of_a_random_host_is_true(void)
{
	uint64_t conflicts = 0;

	for (uint64_t seed = 1; seed <= 100; seed++)
		wander(seed, false, &conflicts);
	CU_ASSERT_EQUAL(conflicts, 0);
}

static void a_migrated_vm_is_seen_to_change_its_offset(void)
{
	uint64_t conflicts = 0;

	for (uint64_t seed = 1; seed <= 100; seed++)
		wander(seed, true, &conflicts);
	CU_ASSERT_EQUAL(conflicts, 0);
}

CSG_SUITE(clock, stamps, CSG_TEST(a_timestamp_is_found_in_any_order),
	  CSG_TEST(a_physical_timestamp_that_goes_back_is_a_conflict),
	  CSG_TEST(upper_bits_of_one_that_goes_back_say_nothing_beside_it),
	  CSG_TEST(before_one_that_goes_back_others_of_its_upper_bits_are_doubted),
	  CSG_TEST(a_timestamp_of_zero_and_nonsense_say_nothing),
	  CSG_TEST(timestamps_that_nobody_asks_for_are_kept_in_bounds),
	  CSG_TEST(what_is_said_of_a_random_host_is_true),
	  CSG_TEST(a_migrated_vm_is_seen_to_change_its_offset));
