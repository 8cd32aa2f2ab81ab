/* SPDX-License-Identifier: BSD-3-Clause */
#include "clock/stamps.h"

#include <stdlib.h>

#include "encoder/random.h"
#include "suite.h"

#define VM 5
#define OFFSET 1000000

struct rig {
	struct csg_offsets offsets;
	struct csg_stamps stamps;
	uint64_t index;
};

static void rig_init(struct rig *r, csg_stamp_whose_fn whose, void *arg)
{
	*r = (struct rig){.index = 0};
	csg_stamps_init(&r->stamps, &r->offsets, whose, arg);
}

static void rig_fini(struct rig *r)
{
	CU_ASSERT_FALSE(r->stamps.failed);
	csg_stamps_fini(&r->stamps);
	csg_offsets_fini(&r->offsets);
}

/* A timestamp at index 10, 20, 30 ..., and at once whose it may be. */
static void stamp(struct rig *r, uint64_t raw, uint8_t may)
{
	r->index += 10;
	csg_stamps_add(&r->stamps, r->index, raw, true);
	csg_stamps_tell(&r->stamps, r->index + 1, may, may == CSG_STAMP_PHYSICAL ? 0 : VM);
}

static bool is_at(struct rig *r, uint64_t index, uint64_t low, uint64_t high)
{
	struct csg_stamp s;

	return csg_stamps_find(&r->stamps, index, &s) && s.low == low && s.high == high;
}

static bool offset_is(const struct rig *r, int64_t low, int64_t high)
{
	struct csg_offset offset;

	return csg_offsets_find(&r->offsets, VM, 0, &offset) && offset.low == low &&
	       offset.high == high;
}

static void a_guest_between_host_processes_bounds_its_offset(void)
{
	struct rig r;

	rig_init(&r, NULL, NULL);
	csg_stamps_begin(&r.stamps, 0, UINT64_MAX);
	stamp(&r, 5000000, CSG_STAMP_PHYSICAL);
	stamp(&r, 4000030, CSG_STAMP_LOADED);
	stamp(&r, 4000050, CSG_STAMP_LOADED);
	stamp(&r, 5000070, CSG_STAMP_PHYSICAL);
	CU_ASSERT_TRUE(offset_is(&r, OFFSET - 30, OFFSET + 20));
	CU_ASSERT_TRUE(is_at(&r, 10, 5000000, 5000000));
	CU_ASSERT_TRUE(is_at(&r, 20, 5000000, 5000050));
	CU_ASSERT_TRUE(is_at(&r, 40, 5000070, 5000070));
	rig_fini(&r);
}

static void the_kernel_around_load_and_put_is_told_apart_and_tightens(void)
{
	struct rig r;

	rig_init(&r, NULL, NULL);
	csg_stamps_begin(&r.stamps, 0, UINT64_MAX);
	for (uint64_t at = 5000000; at < 5000200; at += 100) {
		stamp(&r, at, CSG_STAMP_PHYSICAL);
		stamp(&r, at + 10, CSG_STAMP_EITHER);
		stamp(&r, at + 12 - OFFSET, CSG_STAMP_EITHER); /* loaded since */
		stamp(&r, at + 30 - OFFSET, CSG_STAMP_LOADED);
		stamp(&r, at + 51 - OFFSET, CSG_STAMP_EITHER);
		stamp(&r, at + 54, CSG_STAMP_EITHER); /* put */
		stamp(&r, at + 70, CSG_STAMP_PHYSICAL);
	}
	CU_ASSERT_TRUE(offset_is(&r, OFFSET - 2, OFFSET + 3));
	CU_ASSERT_TRUE(is_at(&r, 20, 5000010, 5000010));
	CU_ASSERT_TRUE(is_at(&r, 60, 5000054, 5000054));
	CU_ASSERT_TRUE(is_at(&r, 90, 5000110, 5000110));
	CU_ASSERT_TRUE(is_at(&r, 100, 5000110, 5000115));
	rig_fini(&r);
}

/* No guest is traced: of the VM's thread's kernel every timestamp may be either. */
static void without_a_guest_what_lies_outside_is_the_vms(void)
{
	struct rig r;

	rig_init(&r, NULL, NULL);
	csg_stamps_begin(&r.stamps, 0, UINT64_MAX);
	stamp(&r, 5000000, CSG_STAMP_PHYSICAL);
	stamp(&r, 5000010, CSG_STAMP_EITHER);
	stamp(&r, 4000030, CSG_STAMP_EITHER);
	stamp(&r, 4000050, CSG_STAMP_EITHER);
	stamp(&r, 5000070, CSG_STAMP_EITHER);
	stamp(&r, 5000090, CSG_STAMP_PHYSICAL);
	CU_ASSERT_TRUE(offset_is(&r, OFFSET - 20, OFFSET + 20));
	CU_ASSERT_TRUE(is_at(&r, 20, 5000010, 5000010));
	rig_fini(&r);
}

/* The end of a piece of trace is no timestamp. */
static void nor_where_only_the_piece_bounds_the_time(void)
{
	struct rig r;

	rig_init(&r, NULL, NULL);
	csg_stamps_begin(&r.stamps, 4900000, 6000000);
	stamp(&r, 5000000, CSG_STAMP_PHYSICAL);
	stamp(&r, 4000030, CSG_STAMP_EITHER);
	csg_stamps_settle(&r.stamps);
	CU_ASSERT_PTR_NULL(csg_offsets_of(&r.offsets, VM));
	rig_fini(&r);
}

static void what_waits_for_the_put_is_read_by_what_is_known(void)
{
	struct rig r;

	rig_init(&r, NULL, NULL);
	csg_stamps_begin(&r.stamps, 0, 6000000);
	stamp(&r, 5000000, CSG_STAMP_PHYSICAL);
	stamp(&r, 4000030, CSG_STAMP_LOADED);
	CU_ASSERT_TRUE(is_at(&r, 20, 5000000, 6000000));
	stamp(&r, 5000040, CSG_STAMP_PHYSICAL);
	stamp(&r, 4000050, CSG_STAMP_LOADED);
	CU_ASSERT_TRUE(is_at(&r, 40, 5000040, 5000060));
	stamp(&r, 5000070, CSG_STAMP_PHYSICAL);
	CU_ASSERT_TRUE(offset_is(&r, OFFSET - 10, OFFSET + 10));
	rig_fini(&r);
}

static void say(struct rig *r, int64_t offset)
{
	const struct csg_offset_piece said = {
		.until = UINT64_MAX, .offset = {offset, offset}, .sources = CSG_OFFSET_BY_USER};

	CU_ASSERT_EQUAL(csg_offsets_observe(&r->offsets, VM, &said), 0);
}

struct domain {
	unsigned int confirmed, contradicted;
};

static void note_domain(void *arg, enum csg_assumption assumption, bool confirmed, uint64_t index,
			uint64_t n)
{
	struct domain *domain = arg;

	(void)index;
	if (assumption == CSG_ASSUMPTION_TIMESTAMP_DOMAIN)
		*(confirmed ? &domain->confirmed : &domain->contradicted) += (unsigned int)n;
}

/* A guest's timestamp between two of the host's; offset is what the user says, or 0: nothing. */
static struct domain ask_domain(uint64_t raw, int64_t offset)
{
	struct domain domain = {0};
	struct rig r;

	rig_init(&r, NULL, NULL);
	r.stamps.finder = (struct csg_finder){note_domain, &domain};
	if (offset)
		say(&r, offset);
	csg_stamps_begin(&r.stamps, 0, 6000000);
	stamp(&r, 5000000, CSG_STAMP_PHYSICAL);
	stamp(&r, raw, CSG_STAMP_LOADED);
	stamp(&r, 5000040, CSG_STAMP_PHYSICAL);
	rig_fini(&r);
	return domain;
}

static void a_guest_without_an_offset_looks_physical_and_contradicts_nothing(void)
{
	struct domain domain = ask_domain(4000030, 0);

	/* The host's second timestamp, which is later than its first, confirms as well. */
	CU_ASSERT_EQUAL(domain.confirmed, 2);
	CU_ASSERT_EQUAL(domain.contradicted, 0);
	domain = ask_domain(5000020, 0);
	CU_ASSERT_EQUAL(domain.confirmed, 1);
	CU_ASSERT_EQUAL(domain.contradicted, 0);
	domain = ask_domain(5000020, OFFSET);
	CU_ASSERT_EQUAL(domain.confirmed, 1);
	CU_ASSERT_EQUAL(domain.contradicted, 1);
}

static void what_the_user_says_of_the_offset_is_held_against_the_timestamps(void)
{
	struct rig r;

	rig_init(&r, NULL, NULL);
	say(&r, OFFSET - 8);
	csg_stamps_begin(&r.stamps, 0, 6000000);
	stamp(&r, 5000000, CSG_STAMP_PHYSICAL);
	stamp(&r, 4000030, CSG_STAMP_LOADED);
	/* As long as nothing contradicts it, it says when that was. */
	CU_ASSERT_TRUE(is_at(&r, 20, 5000022, 5000022));
	stamp(&r, 5000040, CSG_STAMP_PHYSICAL);
	CU_ASSERT_TRUE(offset_is(&r, OFFSET - 8, OFFSET - 8));
	/* Kernel that can only be physical, then loaded, whatever the user says. */
	stamp(&r, 5000050, CSG_STAMP_EITHER);
	stamp(&r, 4000052, CSG_STAMP_LOADED);
	stamp(&r, 4000060, CSG_STAMP_EITHER);
	stamp(&r, 5000070, CSG_STAMP_PHYSICAL);
	CU_ASSERT_TRUE(offset_is(&r, OFFSET - 2, OFFSET + 10));
	CU_ASSERT_TRUE(csg_offsets_of(&r.offsets, VM)->refuted);
	CU_ASSERT_TRUE(is_at(&r, 50, 5000050, 5000062));
	rig_fini(&r);
}

static void an_offset_may_be_negative(void)
{
	struct rig r;

	rig_init(&r, NULL, NULL);
	csg_stamps_begin(&r.stamps, 0, UINT64_MAX);
	stamp(&r, 1000, CSG_STAMP_PHYSICAL);
	stamp(&r, 1010 + OFFSET, CSG_STAMP_LOADED);
	stamp(&r, 1020, CSG_STAMP_PHYSICAL);
	CU_ASSERT_TRUE(offset_is(&r, -OFFSET - 10, -OFFSET + 10));
	rig_fini(&r);
}

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
	stamp(&r, 9000001, CSG_STAMP_PHYSICAL); /* behind the end of the piece */
	CU_ASSERT_EQUAL(r.stamps.conflicts, 2);
	rig_fini(&r);
}

static int32_t only_vm(void *arg, uint64_t from, uint64_t until)
{
	(void)until;
	return from < 5000000 ? 0 : *(const int32_t *)arg;
}

static void without_context_ids_the_sideband_names_the_vm(void)
{
	int32_t vm = VM;
	struct rig r;

	rig_init(&r, only_vm, &vm);
	csg_stamps_begin(&r.stamps, 0, UINT64_MAX);
	for (uint64_t at = 4000000; at <= 5000000; at += 1000000) {
		csg_stamps_add(&r.stamps, at, at, true);
		csg_stamps_tell(&r.stamps, at + 1, CSG_STAMP_PHYSICAL, 0);
		csg_stamps_add(&r.stamps, at + 10, at + 10 - (at == 5000000 ? OFFSET : 0), true);
		csg_stamps_tell(&r.stamps, at + 11,
				at == 5000000 ? CSG_STAMP_LOADED : CSG_STAMP_EITHER,
				CSG_STAMP_ANY_VM);
		csg_stamps_add(&r.stamps, at + 20, at + 20, true);
		csg_stamps_tell(&r.stamps, at + 21, CSG_STAMP_PHYSICAL, 0);
	}
	CU_ASSERT_TRUE(offset_is(&r, OFFSET - 10, OFFSET + 10));
	/* No vCPU was there: it is physical. */
	CU_ASSERT_TRUE(is_at(&r, 4000010, 4000010, 4000010));
	CU_ASSERT_FALSE(csg_stamps_find(&r.stamps, 4000011, &(struct csg_stamp){0}));
	rig_fini(&r);
}

static void note_offset(void *arg, enum csg_assumption assumption, bool confirmed, uint64_t index,
			uint64_t n)
{
	(void)index;
	if (assumption == CSG_ASSUMPTION_COUNTER_OFFSET && !confirmed)
		*(unsigned int *)arg += (unsigned int)n;
}

/* How often two offsets between the host's timestamps contradict each other; whose guests are is told. */
static unsigned int contradicts(int32_t told)
{
	static const uint64_t raw[] = {5000010 - 2 * OFFSET, 5000020 - OFFSET};
	unsigned int found = 0;
	int32_t vm = VM;
	struct rig r;

	rig_init(&r, only_vm, &vm);
	r.stamps.finder = (struct csg_finder){note_offset, &found};
	csg_stamps_begin(&r.stamps, 0, 9000000);
	stamp(&r, 5000000, CSG_STAMP_PHYSICAL);
	for (size_t i = 0; i < 2; i++) {
		r.index += 10;
		csg_stamps_add(&r.stamps, r.index, raw[i], true);
		csg_stamps_tell(&r.stamps, r.index + 1, CSG_STAMP_LOADED, told);
	}
	stamp(&r, 5000030, CSG_STAMP_PHYSICAL);
	csg_stamps_settle(&r.stamps);
	rig_fini(&r);
	return found;
}

static void another_offset_contradicts_a_vm_that_is_named_not_supposed(void)
{
	CU_ASSERT(contradicts(VM) > 0);
	CU_ASSERT_EQUAL(contradicts(CSG_STAMP_ANY_VM), 0);
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
	CU_ASSERT_TRUE(r.stamps.room <= 1 << 17);
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

CSG_SUITE(clock, stamps, CSG_TEST(a_guest_between_host_processes_bounds_its_offset),
	  CSG_TEST(a_timestamp_is_found_in_any_order),
	  CSG_TEST(the_kernel_around_load_and_put_is_told_apart_and_tightens),
	  CSG_TEST(without_a_guest_what_lies_outside_is_the_vms),
	  CSG_TEST(nor_where_only_the_piece_bounds_the_time),
	  CSG_TEST(what_waits_for_the_put_is_read_by_what_is_known),
	  CSG_TEST(a_guest_without_an_offset_looks_physical_and_contradicts_nothing),
	  CSG_TEST(what_the_user_says_of_the_offset_is_held_against_the_timestamps),
	  CSG_TEST(an_offset_may_be_negative),
	  CSG_TEST(a_physical_timestamp_that_goes_back_is_a_conflict),
	  CSG_TEST(without_context_ids_the_sideband_names_the_vm),
	  CSG_TEST(another_offset_contradicts_a_vm_that_is_named_not_supposed),
	  CSG_TEST(a_timestamp_of_zero_and_nonsense_say_nothing),
	  CSG_TEST(timestamps_that_nobody_asks_for_are_kept_in_bounds),
	  CSG_TEST(what_is_said_of_a_random_host_is_true),
	  CSG_TEST(a_migrated_vm_is_seen_to_change_its_offset));
