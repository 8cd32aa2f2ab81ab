/* SPDX-License-Identifier: BSD-3-Clause */
#include "encoder/stack.h"
#include "suite.h"

static void only_the_newest_entry_matches(void)
{
	struct csg_enc_stack s = {.depth = 3};
	struct csg_enc_address a = {0x1000, false}, b = {0x2000, false}, t = {0x2000, true};

	csg_enc_stack_push(&s, a);
	csg_enc_stack_push(&s, b);
	CU_ASSERT_FALSE(csg_enc_stack_pop(&s, a));
	CU_ASSERT_FALSE(csg_enc_stack_pop(&s, t));
	CU_ASSERT_TRUE(csg_enc_stack_pop(&s, b));
	CU_ASSERT_TRUE(csg_enc_stack_pop(&s, a));
	CU_ASSERT_FALSE(csg_enc_stack_pop(&s, a));
}

static void a_full_stack_forgets_the_oldest(void)
{
	struct csg_enc_stack s = {.depth = 2};

	for (uint64_t i = 1; i <= 3; i++)
		csg_enc_stack_push(&s, (struct csg_enc_address){i * 16, false});
	CU_ASSERT_TRUE(csg_enc_stack_pop(&s, (struct csg_enc_address){48, false}));
	CU_ASSERT_TRUE(csg_enc_stack_pop(&s, (struct csg_enc_address){32, false}));
	CU_ASSERT_FALSE(csg_enc_stack_pop(&s, (struct csg_enc_address){16, false}));
}

static void a_flushed_or_absent_stack_matches_nothing(void)
{
	struct csg_enc_stack s = {.depth = 2}, none = {0};
	struct csg_enc_address a = {0x1000, false};

	csg_enc_stack_push(&s, a);
	csg_enc_stack_flush(&s);
	CU_ASSERT_FALSE(csg_enc_stack_pop(&s, a));
	csg_enc_stack_push(&none, a);
	CU_ASSERT_FALSE(csg_enc_stack_pop(&none, a));
}

CSG_SUITE(encoder, stack, CSG_TEST(only_the_newest_entry_matches),
	  CSG_TEST(a_full_stack_forgets_the_oldest),
	  CSG_TEST(a_flushed_or_absent_stack_matches_nothing));
