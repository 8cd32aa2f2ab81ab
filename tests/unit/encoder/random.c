/* SPDX-License-Identifier: BSD-3-Clause */
#include "encoder/random.h"
#include "suite.h"

static void the_same_seed_gives_the_same_numbers(void)
{
	struct csg_enc_random a = {7}, b = {7}, known = {0};

	for (unsigned i = 0; i < 100; i++)
		CU_ASSERT_EQUAL(csg_enc_random_next(&a), csg_enc_random_next(&b));
	/* splitmix64's published first values */
	CU_ASSERT_EQUAL(csg_enc_random_next(&known), 0xe220a8397b1dcdaf);
	CU_ASSERT_EQUAL(csg_enc_random_next(&known), 0x6e789e6aa1b965f4);
}

static void chances_are_kept(void)
{
	struct csg_enc_random r = {1};
	unsigned hits = 0;

	for (unsigned i = 0; i < 10000; i++) {
		CU_ASSERT(csg_enc_random_below(&r, 5) < 5);
		hits += csg_enc_random_chance(&r, 30);
		CU_ASSERT_FALSE(csg_enc_random_chance(&r, 0));
		CU_ASSERT_TRUE(csg_enc_random_chance(&r, 100));
	}
	CU_ASSERT(hits > 2800 && hits < 3200);
}

CSG_SUITE(encoder, random, CSG_TEST(the_same_seed_gives_the_same_numbers),
	  CSG_TEST(chances_are_kept));
