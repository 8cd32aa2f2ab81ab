/* SPDX-License-Identifier: BSD-3-Clause */
#include "shard/texts.h"

#include <stdio.h>

#include "suite.h"

static void equal_texts_are_kept_once(void)
{
	struct csg_texts texts = {0};
	char buffer[16] = "one";
	const char *one = csg_texts_keep(&texts, buffer);

	snprintf(buffer, sizeof(buffer), "two");
	CU_ASSERT_STRING_EQUAL(one, "one");
	CU_ASSERT_STRING_EQUAL(csg_texts_keep(&texts, buffer), "two");
	CU_ASSERT_PTR_EQUAL(csg_texts_keep(&texts, "one"), one);
	CU_ASSERT_EQUAL(texts.count, 2);
	csg_texts_fini(&texts);
}

static void many_are_found_again(void)
{
	struct csg_texts texts = {0};
	char buffer[16];

	for (int round = 0; round < 2; round++)
		for (int i = 0; i < 5000; i++) {
			snprintf(buffer, sizeof(buffer), "%d", i);
			CU_ASSERT_STRING_EQUAL(csg_texts_keep(&texts, buffer), buffer);
		}
	CU_ASSERT_EQUAL(texts.count, 5000);
	csg_texts_fini(&texts);
}

CSG_SUITE(shard, texts, CSG_TEST(equal_texts_are_kept_once), CSG_TEST(many_are_found_again));
