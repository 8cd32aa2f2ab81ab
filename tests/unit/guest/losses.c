/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/losses.h"

#include "guest/facts/host_clock.h"
#include "suite.h"

#define BLOCK (UINT64_C(1) << CSG_STAMP_BLOCK_BITS)

static const struct csg_attribution_loss losses[] = {{100, 110}, {200, 200}, {300, 350}};
static const struct csg_attribution_piece piece = {.losses = losses, .loss_count = 3};

static void a_timestamp_in_a_loss_or_short_after_it_names_nobody(void)
{
	static const struct {
		uint64_t index, timestamp;
		bool names;
	} stamps[] = {
		{90, 5 * BLOCK, true},
		{100, 5 * BLOCK + 1, true}, /* where it begins the time slice does */
		{105, 5 * BLOCK + 2, false},
		{105, 6 * BLOCK, false}, /* on which side of the loss is not known */
		{110, 6 * BLOCK + 1, false},
		{120, 6 * BLOCK + 2, false}, /* the upper bits may be from before */
		{130, 7 * BLOCK, true},
		{140, 7 * BLOCK + 1, true},
		{210, 8 * BLOCK, true}, /* it states them itself */
		{310, 9 * BLOCK, false},
		{360, 9 * BLOCK + 1, false},
		{1000, 9 * BLOCK + 2, false},
		{2000, 8 * BLOCK, true},
	};
	struct csg_lost_times times = {0};

	for (size_t i = 0; i < sizeof(stamps) / sizeof(*stamps); i++)
		CU_ASSERT_EQUAL(
			csg_lost_times_take(&times, &piece, stamps[i].index, stamps[i].timestamp),
			stamps[i].names);
}

static void without_losses_all_name(void)
{
	static const struct csg_attribution_piece none;
	struct csg_lost_times times = {0};

	CU_ASSERT(csg_lost_times_take(&times, &none, 10, 5));
	CU_ASSERT(csg_lost_times_take(&times, &none, 20, 6));
}

static const struct csg_attribution_loss *in(uint64_t index, uint64_t end)
{
	const struct csg_when when = {.index = index, .end = end, .piece = &piece};

	return csg_loss_in(&when);
}

static void a_segment_has_the_loss_whose_end_it_has(void)
{
	CU_ASSERT_PTR_EQUAL(in(90, 120), &losses[0]);
	CU_ASSERT_PTR_EQUAL(in(105, 110), &losses[0]);
	CU_ASSERT_PTR_EQUAL(in(109, 400), &losses[0]);
	CU_ASSERT_PTR_NULL(in(90, 109));
	CU_ASSERT_PTR_NULL(in(110, 199));
	CU_ASSERT_PTR_EQUAL(in(110, 200), &losses[1]);
	CU_ASSERT_PTR_NULL(in(350, 900));
}

static void a_segment_without_end_has_it_within_the_time_slice(void)
{
	CU_ASSERT_PTR_EQUAL(in(310, 0), &losses[2]);
	CU_ASSERT_PTR_NULL(in(290, 0));
	CU_ASSERT_PTR_NULL(in(350, 0));
}

CSG_SUITE(guest, losses, CSG_TEST(a_timestamp_in_a_loss_or_short_after_it_names_nobody),
	  CSG_TEST(without_losses_all_name), CSG_TEST(a_segment_has_the_loss_whose_end_it_has),
	  CSG_TEST(a_segment_without_end_has_it_within_the_time_slice));
