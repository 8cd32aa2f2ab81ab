/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/open/code_bouts.h"

#include "suite.h"

#define B_2 0x14000002u	  /* an atom N contradicts it */
#define CBZ_2 0x34000040u /* and agrees with it */
#define WRONG 0x100000u	  /* from here on there is the one, before it the other */

static const uint32_t right_code = CBZ_2, wrong_code = B_2;

static int read_code(void *arg, uint64_t address, const uint8_t **bytes, size_t *len)
{
	(void)arg;
	*bytes = (const uint8_t *)(address < WRONG ? &right_code : &wrong_code);
	*len = 4;
	return 0;
}

/* A bout with this many places that agree, and contradict; other ones each time. */
static void bout(struct csg_code_bouts *b, unsigned int right, unsigned int wrong)
{
	static uint64_t at;

	for (unsigned int i = 0; i < right; i++)
		csg_code_bouts_take(b, 0, 0x1000 + (at++ & 0x3fff) * 4, 0, 1, read_code, NULL);
	for (unsigned int i = 0; i < wrong; i++)
		csg_code_bouts_take(b, 0, WRONG + at++ * 4, 0, 1, read_code, NULL);
	csg_code_bouts_end(b);
}

static void code_that_ran_agrees(void)
{
	struct csg_code_bouts b = {.mixes = true};

	CU_ASSERT_EQUAL(csg_code_bouts_verdict(&b), CSG_CODE_NOTHING);
	bout(&b, 4, 0);
	CU_ASSERT_EQUAL(csg_code_bouts_verdict(&b), CSG_CODE_FEW);
	bout(&b, 50, 4);
	CU_ASSERT_EQUAL(csg_code_bouts_verdict(&b), CSG_CODE_AGREES);
	CU_ASSERT_FALSE(csg_code_bouts_enough(&b));
	bout(&b, 20, 0);
	CU_ASSERT(csg_code_bouts_enough(&b));
}

/* A kernel that idles. */
static void the_same_few_branches_all_the_time_are_enough(void)
{
	struct csg_code_bouts b = {.mixes = true};

	for (unsigned int i = 0; i < 2 * CSG_CODE_SAMPLE_REPEATS; i++)
		csg_code_bouts_take(&b, 0, 0x1000 + i % 11 * 4, 0, 1, read_code, NULL);
	CU_ASSERT_FALSE(csg_code_bouts_enough(&b));
	csg_code_bouts_take(&b, 0, 0x1100, 0, 1, read_code, NULL);
	CU_ASSERT_FALSE(csg_code_bouts_enough(&b));
	for (unsigned int i = 0; i < CSG_CODE_SAMPLE_REPEATS; i++)
		csg_code_bouts_take(&b, 0, 0x1000 + i % 11 * 4, 0, 1, read_code, NULL);
	CU_ASSERT(csg_code_bouts_enough(&b));
}

static void other_code_is_refuted(void)
{
	struct csg_code_bouts b = {.mixes = true};

	for (int i = 0; i < 20; i++)
		bout(&b, 8, 8);
	CU_ASSERT_EQUAL(csg_code_bouts_verdict(&b), CSG_CODE_REFUTED);
	CU_ASSERT_EQUAL(b.full, 20);
	CU_ASSERT_EQUAL(b.right, 0);
	/* There may be one that agrees because there are this many. */
	CU_ASSERT_FALSE(csg_code_bouts_enough(&b));
	for (int i = 0; i < 20; i++)
		bout(&b, 8, 8);
	bout(&b, 12, 1);
	CU_ASSERT_EQUAL(b.right, 1);
	CU_ASSERT_EQUAL(csg_code_bouts_verdict(&b), CSG_CODE_REFUTED);
}

/* A nested guest's kernel, or the one before kexec: what agrees is no chance. */
static void code_of_some_bouts_is_not_refuted(void)
{
	struct csg_code_bouts b = {.mixes = true};

	for (int i = 0; i < 20; i++)
		bout(&b, 8, 8);
	bout(&b, 12, 1);
	bout(&b, 16, 0);
	CU_ASSERT_EQUAL(b.right, 2);
	CU_ASSERT_EQUAL(csg_code_bouts_verdict(&b), CSG_CODE_MIXED);
	/* The host has one kernel. */
	b = (struct csg_code_bouts){0};
	bout(&b, 20, 0);
	bout(&b, 0, 10);
	CU_ASSERT_EQUAL(csg_code_bouts_verdict(&b), CSG_CODE_REFUTED);
}

static void short_bouts_say_nothing_against_code(void)
{
	struct csg_code_bouts b = {.mixes = true};

	for (int i = 0; i < 40; i++)
		bout(&b, 2, 6);
	CU_ASSERT_EQUAL(csg_code_bouts_verdict(&b), CSG_CODE_UNCLEAR);
}

static void a_verdict_says_what_the_file_is_or_why_it_says_nothing(void)
{
	CU_ASSERT_EQUAL(csg_code_verdict_state(CSG_CODE_AGREES), CSG_KERNEL_FILE_AGREES);
	CU_ASSERT_EQUAL(csg_code_verdict_state(CSG_CODE_REFUTED), CSG_KERNEL_FILE_REFUSED);
	CU_ASSERT_PTR_NULL(csg_code_verdict_why_not(CSG_CODE_AGREES));
	CU_ASSERT_PTR_NULL(csg_code_verdict_why_not(CSG_CODE_REFUTED));
	for (int i = CSG_CODE_NOTHING; i < CSG_CODE_REFUTED; i++)
		if (i != CSG_CODE_AGREES) {
			CU_ASSERT_EQUAL(csg_code_verdict_state((enum csg_code_verdict)i),
					CSG_KERNEL_FILE_NOT_CHECKED);
			CU_ASSERT_PTR_NOT_NULL(csg_code_verdict_why_not((enum csg_code_verdict)i));
		}
}

CSG_SUITE(session_open, code_bouts,
	  CSG_TEST(a_verdict_says_what_the_file_is_or_why_it_says_nothing),
	  CSG_TEST(code_that_ran_agrees), CSG_TEST(the_same_few_branches_all_the_time_are_enough),
	  CSG_TEST(other_code_is_refuted), CSG_TEST(code_of_some_bouts_is_not_refuted),
	  CSG_TEST(short_bouts_say_nothing_against_code));
