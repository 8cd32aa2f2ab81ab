/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <stdio.h>

#include "text/text_set.h"

static void equal_texts_have_one_number(void)
{
	const char again[] = "memset";
	struct csg_text_set set = {0};

	CU_ASSERT_EQUAL(csg_text_set_add(&set, "memset"), 1);
	CU_ASSERT_EQUAL(csg_text_set_add(&set, "memcpy"), 2);
	CU_ASSERT_EQUAL(csg_text_set_add(&set, again), 1);
	CU_ASSERT_EQUAL(csg_text_set_add(&set, ""), 3);
	CU_ASSERT_EQUAL(csg_text_set_add(&set, NULL), 0);
	csg_text_set_fini(&set);
}

/* Two texts with one value of FNV-1a. */
static void texts_of_one_hash_have_two_numbers(void)
{
	struct csg_text_set set = {0};

	CU_ASSERT_EQUAL(csg_text_set_add(&set, "8yn0iYCKYHlIj4-BwPqk"), 1);
	CU_ASSERT_EQUAL(csg_text_set_add(&set, "GReLUrM4wMqfg9yzV3KQ"), 2);
	csg_text_set_fini(&set);
}

static void many_texts_have_as_many_numbers(void)
{
	static char texts[5000][8];
	struct csg_text_set set = {0};

	for (int pass = 0; pass < 2; pass++) {
		for (int i = 0; i < 5000; i++) {
			snprintf(texts[i], sizeof(texts[i]), "f%d", i);
			CU_ASSERT_EQUAL(csg_text_set_add(&set, texts[i]), i + 1);
		}
	}
	csg_text_set_fini(&set);
}

CSG_SUITE(text, text_set, CSG_TEST(equal_texts_have_one_number),
	  CSG_TEST(texts_of_one_hash_have_two_numbers), CSG_TEST(many_texts_have_as_many_numbers));
