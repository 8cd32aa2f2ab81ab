/* SPDX-License-Identifier: BSD-3-Clause */
#include "clock/stamp_settle.h"

#include "stamp_rig.h"

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

static void the_kernel_around_load_and_put_is_distinguished_and_tightens(void)
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
	const struct csg_offset_period said = {
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

static void what_the_user_says_of_the_offset_is_checked_against_the_timestamps(void)
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

/* How often two offsets between the host's timestamps contradict each other; whose guests are is
 * reported. */
static unsigned int contradicts(int32_t reported)
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
		csg_stamps_tell(&r.stamps, r.index + 1, CSG_STAMP_LOADED, reported);
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

/* A loss has left upper bits that are another counter's, or from before. */
static void what_fits_no_reading_says_no_time_nor_do_those_of_its_upper_bits(void)
{
	const uint64_t block = UINT64_C(320) << CSG_STAMP_BLOCK_BITS;
	static const uint8_t may[] = {0, 0, 0, CSG_STAMP_LOADED, CSG_STAMP_PHYSICAL};
	struct csg_stamp seen;
	struct rig r;

	rig_init(&r, NULL, NULL);
	csg_stamps_begin(&r.stamps, 0, UINT64_MAX);
	stamp(&r, block - 100, CSG_STAMP_PHYSICAL);
	stamp(&r, block - 90 - OFFSET, CSG_STAMP_LOADED);
	stamp(&r, block - 80, CSG_STAMP_PHYSICAL);
	stamp(&r, block + 90, CSG_STAMP_EITHER);
	stamp(&r, block + 20, CSG_STAMP_EITHER); /* goes back, whatever it is */
	stamp(&r, block + 100, CSG_STAMP_EITHER);
	stamp(&r, block + 110 - OFFSET, CSG_STAMP_LOADED); /* upper bits were sent */
	stamp(&r, block + 40000, CSG_STAMP_PHYSICAL);
	for (size_t i = 0; i < 5; i++) {
		CU_ASSERT_FATAL(csg_stamps_find(&r.stamps, 40 + 10 * i, &seen));
		CU_ASSERT_EQUAL(seen.may, may[i]);
	}
	CU_ASSERT_TRUE(is_at(&r, 60, block - 80, block + 40000));
	rig_fini(&r);
}

/* Nor does a physical one that comes after it with the same upper bits. */
static void a_process_after_one_that_fits_no_reading_is_doubted_by_its_upper_bits(void)
{
	const uint64_t block = UINT64_C(320) << CSG_STAMP_BLOCK_BITS;
	struct rig r;

	rig_init(&r, NULL, NULL);
	csg_stamps_begin(&r.stamps, 100, 4 * block);
	stamp(&r, block - 100, CSG_STAMP_PHYSICAL);
	stamp(&r, block - 90 - OFFSET, CSG_STAMP_LOADED);
	stamp(&r, block - 80, CSG_STAMP_PHYSICAL);
	stamp(&r, block + 90, CSG_STAMP_EITHER);
	stamp(&r, block + 20, CSG_STAMP_EITHER);
	stamp(&r, block + 100, CSG_STAMP_PHYSICAL);
	CU_ASSERT_TRUE(is_at(&r, 60, 100, 4 * block));
	stamp(&r, block + 110, CSG_STAMP_PHYSICAL);
	CU_ASSERT_TRUE(is_at(&r, 70, 100, 4 * block));
	stamp(&r, block + 40000, CSG_STAMP_PHYSICAL);
	CU_ASSERT_TRUE(is_at(&r, 80, block + 40000, block + 40000));
	rig_fini(&r);
}

/* The VM's vCPU is on the CPU up to a time. */
static int32_t left_at(void *arg, uint64_t from, uint64_t until)
{
	const uint64_t *left = arg;

	(void)until;
	return from < *left ? VM : 0;
}

static void a_vms_timestamp_when_its_vcpu_was_gone_says_no_time(void)
{
	uint64_t left = 5000100;
	struct csg_stamp seen;
	struct rig r;

	rig_init(&r, left_at, &left);
	csg_stamps_begin(&r.stamps, 0, UINT64_MAX);
	stamp(&r, 5000000, CSG_STAMP_PHYSICAL);
	stamp(&r, 4000010, CSG_STAMP_LOADED);
	stamp(&r, 5000020, CSG_STAMP_PHYSICAL);
	stamp(&r, 4000030, CSG_STAMP_EITHER);
	stamp(&r, 4000300, CSG_STAMP_EITHER);
	stamp(&r, 5000400, CSG_STAMP_PHYSICAL);
	CU_ASSERT_TRUE(csg_stamps_find(&r.stamps, 50, &seen));
	CU_ASSERT_EQUAL(seen.may, 0);
	CU_ASSERT_TRUE(csg_stamps_find(&r.stamps, 20, &seen));
	CU_ASSERT_EQUAL(seen.may, CSG_STAMP_LOADED);
	rig_fini(&r);
}

/* A VM's counter does not go back, however little is known of its offset. */
static void a_vms_timestamp_that_goes_back_says_no_time(void)
{
	struct csg_stamp seen;
	struct rig r;

	rig_init(&r, NULL, NULL);
	csg_stamps_begin(&r.stamps, 0, UINT64_MAX);
	stamp(&r, 5000000, CSG_STAMP_PHYSICAL);
	stamp(&r, 4000500, CSG_STAMP_LOADED);
	stamp(&r, 5001000, CSG_STAMP_PHYSICAL); /* the offset is known within 1000 */
	stamp(&r, 4001300, CSG_STAMP_EITHER);
	stamp(&r, 4001290, CSG_STAMP_EITHER);
	stamp(&r, 5002400, CSG_STAMP_PHYSICAL);
	CU_ASSERT_TRUE(csg_stamps_find(&r.stamps, 40, &seen));
	CU_ASSERT_EQUAL(seen.may, 0);
	CU_ASSERT_TRUE(csg_stamps_find(&r.stamps, 50, &seen));
	CU_ASSERT_EQUAL(seen.may, 0);
	rig_fini(&r);
}

CSG_SUITE(clock, stamp_settle, CSG_TEST(a_guest_between_host_processes_bounds_its_offset),
	  CSG_TEST(the_kernel_around_load_and_put_is_distinguished_and_tightens),
	  CSG_TEST(without_a_guest_what_lies_outside_is_the_vms),
	  CSG_TEST(nor_where_only_the_piece_bounds_the_time),
	  CSG_TEST(what_waits_for_the_put_is_read_by_what_is_known),
	  CSG_TEST(a_guest_without_an_offset_looks_physical_and_contradicts_nothing),
	  CSG_TEST(what_the_user_says_of_the_offset_is_checked_against_the_timestamps),
	  CSG_TEST(an_offset_may_be_negative),
	  CSG_TEST(without_context_ids_the_sideband_names_the_vm),
	  CSG_TEST(another_offset_contradicts_a_vm_that_is_named_not_supposed),
	  CSG_TEST(what_fits_no_reading_says_no_time_nor_do_those_of_its_upper_bits),
	  CSG_TEST(a_process_after_one_that_fits_no_reading_is_doubted_by_its_upper_bits),
	  CSG_TEST(a_vms_timestamp_when_its_vcpu_was_gone_says_no_time),
	  CSG_TEST(a_vms_timestamp_that_goes_back_says_no_time));
