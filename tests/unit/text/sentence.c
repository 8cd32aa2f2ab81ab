/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <string.h>

#include "text/sentence.h"

static void pieces_become_a_line(void)
{
	struct csg_sentence s = {""};

	csg_sentence_add(&s, "at %d", 5);
	csg_sentence_add(&s, ", %s", "then 6");
	CU_ASSERT_STRING_EQUAL(s.text, "at 5, then 6");
}

static void what_is_too_long_is_cut(void)
{
	struct csg_sentence s = {""};

	for (int i = 0; i < 1000; i++)
		csg_sentence_add(&s, "word ");
	CU_ASSERT_EQUAL(strlen(s.text), CSG_SENTENCE_MAX - 1);
}

CSG_SUITE(text, sentence, CSG_TEST(pieces_become_a_line), CSG_TEST(what_is_too_long_is_cut));
