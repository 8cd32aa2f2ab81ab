/* SPDX-License-Identifier: BSD-3-Clause */
#include "clock/fit.h"

#include "encoder/random.h"
#include "suite.h"

static const struct csg_offset anything = {CSG_OFFSET_MIN, CSG_OFFSET_MAX};

static bool offset_is(const struct csg_fit *fit, int64_t low, int64_t high)
{
	struct csg_offset offset;

	return csg_fit_offset(fit, &offset) && offset.low == low && offset.high == high;
}

static void an_event_lies_inside_a_residency(void)
{
	static const struct csg_fit_time times[] = {{1000, 1100}, {1500, 1510}, {2000, 2100}};
	struct csg_fit fit;

	csg_fit_init(&fit, times, 3, &anything);
	csg_fit_event(&fit, 400, 400);
	CU_ASSERT_EQUAL(fit.count, 3);
	CU_ASSERT_TRUE(offset_is(&fit, 600, 1700));
	/* 500 later there is a residency only after the second ... */
	csg_fit_event(&fit, 900, 900);
	CU_ASSERT_EQUAL(fit.count, 2);
	CU_ASSERT_TRUE(offset_is(&fit, 600, 1110));
	/* ... and 590 later only after the first. */
	csg_fit_event(&fit, 490, 491);
	CU_ASSERT_TRUE(offset_is(&fit, 600, 610));
	CU_ASSERT_EQUAL(fit.events, 3);
	csg_fit_fini(&fit);
}

static void what_is_known_narrows_from_the_start(void)
{
	static const struct csg_fit_time times[] = {{1000, 1100}, {1500, 1510}, {2000, 2100}};
	const struct csg_offset known = {1050, 1105};
	struct csg_fit fit;

	csg_fit_init(&fit, times, 3, &known);
	csg_fit_event(&fit, 400, 400);
	CU_ASSERT_TRUE(offset_is(&fit, 1100, 1105));
	csg_fit_fini(&fit);
}

static void a_recording_of_another_vm_fits_nowhere(void)
{
	static const struct csg_fit_time times[] = {{1000, 1100}, {2000, 2100}};
	struct csg_offset offset;
	struct csg_fit fit;

	csg_fit_init(&fit, times, 2, &anything);
	csg_fit_event(&fit, 400, 400);
	csg_fit_event(&fit, 700, 700);
	CU_ASSERT_FALSE(csg_fit_offset(&fit, &offset));
	csg_fit_event(&fit, 700, 700);
	CU_ASSERT_FALSE(csg_fit_offset(&fit, &offset));
	csg_fit_fini(&fit);
}

static void offsets_may_be_negative_and_times_open(void)
{
	static const struct csg_fit_time times[] = {{0, 100}, {500, 510}, {900, UINT64_MAX}};
	const struct csg_offset known = {-1000, 0};
	struct csg_fit fit;

	csg_fit_init(&fit, times, 3, &known);
	csg_fit_event(&fit, 1000, 1000);
	CU_ASSERT_TRUE(offset_is(&fit, -1000, 0));
	CU_ASSERT_EQUAL(fit.count, 3);
	csg_fit_event(&fit, 1400, 1400);
	CU_ASSERT_TRUE(offset_is(&fit, -900, 0));
	CU_ASSERT_EQUAL(fit.count, 3);
	csg_fit_event(&fit, 1600, UINT64_MAX);
	csg_fit_event(&fit, 1600, 1500);
	CU_ASSERT_EQUAL(fit.events, 2);
	csg_fit_fini(&fit);
}

/* Residencies of random length; the guest records at random moments of them. */
static void the_true_offset_is_found_and_never_left_out(void)
{
	static struct csg_fit_time times[300];
	struct csg_enc_random random = {.state = 7};

	for (unsigned int round = 0; round < 50; round++) {
		int64_t truth = (int64_t)csg_enc_random_below(&random, 1 << 30) - (1 << 29);
		uint64_t now = UINT64_C(1) << 32;
		struct csg_offset offset;
		struct csg_fit fit;

		for (unsigned int i = 0; i < 300; i++) {
			times[i].from = now += 100 + csg_enc_random_below(&random, 20000);
			times[i].until = now += 100 + csg_enc_random_below(&random, 20000);
		}
		csg_fit_init(&fit, times, 300, &anything);
		for (unsigned int i = 0; i < 3000; i++) {
			const struct csg_fit_time *t = &times[csg_enc_random_below(&random, 300)];
			uint64_t at =
				t->from +
				csg_enc_random_below(&random, (uint32_t)(t->until - t->from + 1));

			csg_fit_event(&fit, at - (uint64_t)truth, at - (uint64_t)truth);
		}
		CU_ASSERT_TRUE(csg_fit_offset(&fit, &offset));
		CU_ASSERT_TRUE(offset.low <= truth && truth <= offset.high);
		CU_ASSERT_TRUE(offset.high - offset.low < 200);
		csg_fit_fini(&fit);
	}
}

static void an_endless_comparison_is_given_up(void)
{
	static struct csg_fit_time times[100000];
	struct csg_fit fit;

	/* Everything fits everywhere: residencies come at a beat. */
	for (size_t i = 0; i < 100000; i++)
		times[i] = (struct csg_fit_time){i * 10, i * 10 + 5};
	csg_fit_init(&fit, times, 100000, &anything);
	for (uint64_t i = 0; i < 3000; i++)
		CU_ASSERT_EQUAL(csg_fit_event(&fit, i * 10, i * 10), 0);
	CU_ASSERT_TRUE(fit.events < 3000);
	CU_ASSERT_TRUE(fit.count > 1);
	csg_fit_fini(&fit);
}

CSG_SUITE(clock, fit, CSG_TEST(an_event_lies_inside_a_residency),
	  CSG_TEST(what_is_known_narrows_from_the_start),
	  CSG_TEST(a_recording_of_another_vm_fits_nowhere),
	  CSG_TEST(offsets_may_be_negative_and_times_open),
	  CSG_TEST(the_true_offset_is_found_and_never_left_out),
	  CSG_TEST(an_endless_comparison_is_given_up));
