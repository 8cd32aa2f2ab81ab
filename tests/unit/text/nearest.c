/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <string.h>

#include "text/nearest.h"

static const char *const names[] = {"vmlinux", "guestvmlinux", "report", "quiet", "time",
				    "itrace",  "input",	       "id",	 NULL};

static void is_nearest(const char *word, const char *want)
{
	const char *name = csg_nearest(word, strlen(word), names);

	if (want)
		CU_ASSERT_PTR_NOT_NULL_FATAL(name);
	CU_ASSERT(want ? !strcmp(name, want) : !name);
}

static void the_shortest_name_that_begins_so_comes_first(void)
{
	is_nearest("vm", "vmlinux");
	is_nearest("i", "id");
	is_nearest("in", "input");
	is_nearest("quiet", "quiet");
}

static void else_that_with_the_fewest_changes(void)
{
	is_nearest("reprot", "report");
	is_nearest("qiet", "quiet");
	is_nearest("quiett", "quiet");
	is_nearest("timr", "time");
	is_nearest("di", "id");
	is_nearest("guest-vmlinux", "guestvmlinux");
}

static void what_is_like_none_has_none(void)
{
	is_nearest("", NULL);
	is_nearest("d", NULL);
	is_nearest("nonsense", NULL);
	is_nearest("timetable-of-all-the-trains-that-run", NULL);
}

static void a_word_may_end_before_its_string(void)
{
	CU_ASSERT_STRING_EQUAL(csg_nearest("vm=136", 2, names), "vmlinux");
}

static void the_question_names_it(void)
{
	char buf[64];

	CU_ASSERT_STRING_EQUAL(csg_did_you_mean(buf, sizeof(buf), "--", "vmlinux"),
			       "; did you mean '--vmlinux'?");
	CU_ASSERT_STRING_EQUAL(csg_did_you_mean(buf, sizeof(buf), "--", NULL), "");
}

CSG_SUITE(text, nearest, CSG_TEST(the_shortest_name_that_begins_so_comes_first),
	  CSG_TEST(else_that_with_the_fewest_changes), CSG_TEST(what_is_like_none_has_none),
	  CSG_TEST(a_word_may_end_before_its_string), CSG_TEST(the_question_names_it));
