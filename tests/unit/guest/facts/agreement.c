/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/agreement.h"

#include "suite.h"

/* This many intervals agree, the first of which begins at from. */
static void agree(struct csg_agreement *a, uint64_t from, int n)
{
	for (int i = 0; i < n; i++)
		csg_agreement_agree(a, &(struct csg_on_cpu){.from = from + 10 * (uint64_t)i});
}

static void it_holds_until_contradicted(void)
{
	struct csg_agreement a = {0};

	CU_ASSERT(csg_agreement_holds(NULL));
	csg_agreement_contradict(NULL);
	csg_agreement_agree(NULL, NULL);
	CU_ASSERT(csg_agreement_holds(&a));
	agree(&a, 10, 3);
	CU_ASSERT(csg_agreement_holds(&a));
	csg_agreement_contradict(&a);
	CU_ASSERT_FALSE(csg_agreement_holds(&a));
}

static void it_holds_again_after_as_many_intervals_that_agree(void)
{
	struct csg_agreement a = {0};

	csg_agreement_contradict(&a);
	agree(&a, 1000, CSG_AGREEMENTS - 1);
	CU_ASSERT_FALSE(csg_agreement_holds(&a));
	agree(&a, 5000, 1);
	CU_ASSERT(csg_agreement_holds(&a));
}

static void one_interval_counts_once(void)
{
	struct csg_agreement a = {0};

	csg_agreement_contradict(&a);
	for (int i = 0; i < 10 * CSG_AGREEMENTS; i++)
		agree(&a, 1000, 1);
	CU_ASSERT_FALSE(csg_agreement_holds(&a));
}

static void what_contradicts_meanwhile_begins_anew(void)
{
	struct csg_agreement a = {0};

	csg_agreement_contradict(&a);
	agree(&a, 1000, CSG_AGREEMENTS - 1);
	csg_agreement_contradict(&a);
	agree(&a, 5000, CSG_AGREEMENTS - 1);
	CU_ASSERT_FALSE(csg_agreement_holds(&a));
	agree(&a, 9000, 1);
	CU_ASSERT(csg_agreement_holds(&a));
}

static void each_further_contradiction_needs_twice_as_many(void)
{
	struct csg_agreement a = {0};
	int needed = CSG_AGREEMENTS;

	for (uint64_t i = 1; i < 8; i++, needed *= 2) {
		csg_agreement_contradict(&a);
		agree(&a, i * 1000000, needed - 1);
		CU_ASSERT_FALSE(csg_agreement_holds(&a));
		agree(&a, i * 1000000 + 500000, 1);
		CU_ASSERT(csg_agreement_holds(&a));
	}
}

CSG_SUITE(guest_facts, agreement, CSG_TEST(it_holds_until_contradicted),
	  CSG_TEST(it_holds_again_after_as_many_intervals_that_agree),
	  CSG_TEST(one_interval_counts_once), CSG_TEST(what_contradicts_meanwhile_begins_anew),
	  CSG_TEST(each_further_contradiction_needs_twice_as_many));
