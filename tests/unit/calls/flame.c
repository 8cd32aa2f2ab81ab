/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <stdlib.h>

#include "capture.h"
#include "fake_calls.h"
#include "calls/flame.h"

static struct csg_call_tree tree;
static struct csg_lookup lookup;

/* Draws fake_calls.h's tree; free the text. */
static char *draw(double min_percent, bool inverted)
{
	const struct csg_flame flame = {.title = "a <title> & \"more\"",
					.subtitle = "below",
					.min_percent = min_percent,
					.inverted = inverted};

	struct csg_out *out;

	memset(&tree, 0, sizeof(tree));
	tree.joined = true;
	tree.next = fake_calls_next;
	tree.time = fake_calls_time;
	fake_calls_given = false;
	lookup = fake_calls_lookup();
	CU_ASSERT_EQUAL_FATAL(csg_call_tree_open(&tree, &lookup, 1), 0);
	while (csg_call_tree_next(&tree) > 0)
		;
	out = capture_begin();
	CU_ASSERT_EQUAL(csg_flame_write(&tree, &flame, out), 0);
	capture_end(out);
	csg_call_tree_close(&tree);
	return strdup(captured);
}

static void frames_have_places_by_weight(void)
{
	char *text = draw(0, false);

	CU_ASSERT_PTR_NOT_NULL(strstr(text, "data-x=\"0\" data-w=\"1\" data-y=\"0\""));
	/* 25 of 40 instructions are helper's, and what interrupts it. */
	CU_ASSERT_PTR_NOT_NULL(strstr(
		text, "data-w=\"0.625\" data-y=\"4\"><title>helper (25 instructions, 62.50%, "
		      "itself 22.50%, 2 calls)</title>"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "</svg>\n"));
	free(text);
}

static void text_is_escaped(void)
{
	char *text = draw(0, false);

	CU_ASSERT_PTR_NOT_NULL(strstr(text, ">a &lt;title&gt; &amp; &quot;more&quot;</text>"));
	free(text);
}

static void colours_are_of_worlds_and_the_legend_tells_them(void)
{
	char *text = draw(0, false);

	CU_ASSERT_PTR_NOT_NULL(strstr(text, "class=\"f hk\""));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "class=\"f gk0\""));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, ">web&lt;/script&gt; (VM 42) kernel</text>"));
	CU_ASSERT_PTR_NULL(strstr(text, ">hypervisor</text>"));
	free(text);
}

/* The numbers after each "word" of a drawing. */
static double sum_after(const char *text, const char *word)
{
	double sum = 0;

	while ((text = strstr(text, word))) {
		text += strlen(word);
		sum += strtod(text, NULL);
	}
	return sum;
}

static void what_is_too_narrow_is_one_frame_of_its_caller(void)
{
	char *text = draw(20, false);

	CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"f ot\" data-x=\"0\" data-w=\"0.125\" data-y=\"6\">"
					    "<title>[other] (5 instructions, 12.50%)</title>"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, ">too narrow to be drawn by itself</text>"));
	free(text);
	text = draw(0, false);
	CU_ASSERT_PTR_NULL(strstr(text, "[other]"));
	CU_ASSERT_PTR_NULL(strstr(text, ">too narrow to be drawn by itself</text>"));
	free(text);
}

static void shares_add_up_whatever_is_too_narrow(void)
{
	static const double least[] = {0, 5, 10, 20, 30, 50, 90, 100};

	for (size_t i = 0; i < sizeof(least) / sizeof(*least); i++) {
		char *text = draw(least[i], i % 2);

		CU_ASSERT_DOUBLE_EQUAL(sum_after(text, ", itself ") +
					       sum_after(text, "[other] (") * 100 / 40,
				       100, 0.01);
		free(text);
	}
}

static void what_is_too_narrow_is_counted(void)
{
	char *text = draw(20, false);

	CU_ASSERT_PTR_NOT_NULL(strstr(text, "; 3 frames of less than 20% are drawn as [other]"));
	CU_ASSERT_PTR_NULL(strstr(text, ">web&lt;/script&gt; (VM 42) kernel</text>"));
	free(text);
}

static void callers_are_below_or_above(void)
{
	char *text = draw(0, false), *other = draw(0, true);

	CU_ASSERT_PTR_NOT_NULL(strstr(text, "all (40 instructions, 100.00%)</title>"
					    "<rect x=\"10.00\" y=\"214.0\""));
	CU_ASSERT_PTR_NOT_NULL(strstr(other, "all (40 instructions, 100.00%)</title>"
					     "<rect x=\"10.00\" y=\"78.0\""));
	free(text);
	free(other);
}

static void an_empty_tree_is_a_picture_as_well(void)
{
	const struct csg_flame flame = {.title = "nothing", .subtitle = ""};
	struct csg_out *out;

	memset(&tree, 0, sizeof(tree));
	tree.next = fake_calls_next;
	fake_calls_given = true;
	lookup = fake_calls_lookup();
	CU_ASSERT_EQUAL_FATAL(csg_call_tree_open(&tree, &lookup, 1), 0);
	out = capture_begin();
	CU_ASSERT_EQUAL(csg_flame_write(&tree, &flame, out), 0);
	capture_end(out);
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "</svg>\n"));
	CU_ASSERT_PTR_NULL(strstr(captured, "nan"));
	csg_call_tree_close(&tree);
}

CSG_SUITE(calls, flame, CSG_TEST(frames_have_places_by_weight), CSG_TEST(text_is_escaped),
	  CSG_TEST(colours_are_of_worlds_and_the_legend_tells_them),
	  CSG_TEST(what_is_too_narrow_is_one_frame_of_its_caller),
	  CSG_TEST(shares_add_up_whatever_is_too_narrow), CSG_TEST(what_is_too_narrow_is_counted),
	  CSG_TEST(callers_are_below_or_above), CSG_TEST(an_empty_tree_is_a_picture_as_well));
