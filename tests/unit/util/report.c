/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "util/report.h"
#include "suite.h"

struct seen {
	int count;
	struct csg_diag last;
	char text[CSG_REPORT_TEXT_MAX];
};

static void remember(void *arg, const struct csg_diag *diag)
{
	struct seen *seen = arg;

	seen->count++;
	seen->last = *diag;
	strcpy(seen->text, diag->text);
}

static void the_sink_gets_what_was_said(void)
{
	struct seen seen = {0};
	struct csg_diag_sink sink = {remember, &seen};
	int ret = csg_report(&sink, CSG_WARNING, CSG_E_CORRUPT, "a.data", 0x40, "record again",
			     "record of %d bytes", 7);

	CU_ASSERT_EQUAL(ret, -CSG_E_CORRUPT);
	CU_ASSERT_EQUAL(seen.count, 1);
	CU_ASSERT_EQUAL(seen.last.size, sizeof(seen.last));
	CU_ASSERT_EQUAL(seen.last.severity, CSG_WARNING);
	CU_ASSERT_EQUAL(seen.last.offset, 0x40);
	CU_ASSERT_STRING_EQUAL(seen.last.file, "a.data");
	CU_ASSERT_STRING_EQUAL(seen.last.remedy, "record again");
	CU_ASSERT_STRING_EQUAL(seen.text, "record of 7 bytes");
}

static void without_a_sink_only_the_code_comes_back(void)
{
	struct csg_diag_sink none = {0};

	CU_ASSERT_EQUAL(csg_report(NULL, CSG_ERROR, CSG_E_IO, NULL, 0, NULL, "x"), -CSG_E_IO);
	CU_ASSERT_EQUAL(csg_report(&none, CSG_ERROR, CSG_E_IO, NULL, 0, NULL, "x"), -CSG_E_IO);
}

static void long_text_is_cut(void)
{
	struct seen seen = {0};
	struct csg_diag_sink sink = {remember, &seen};

	csg_report(&sink, CSG_NOTE, CSG_E_OK, NULL, CSG_NO_OFFSET, NULL, "%01000d", 1);
	CU_ASSERT_EQUAL(strlen(seen.text), CSG_REPORT_TEXT_MAX - 1);
}

static void what_files_hold_cannot_control_the_terminal(void)
{
	struct seen seen = {0};
	struct csg_diag_sink sink = {remember, &seen};

	csg_report(&sink, CSG_NOTE, CSG_E_OK, NULL, CSG_NO_OFFSET, NULL, "on %s",
		   "a\n\033[2Jb\177");
	CU_ASSERT_STRING_EQUAL(seen.text, "on a??[2Jb?");
}

CSG_SUITE(util, report, CSG_TEST(what_files_hold_cannot_control_the_terminal),
	  CSG_TEST(the_sink_gets_what_was_said), CSG_TEST(without_a_sink_only_the_code_comes_back),
	  CSG_TEST(long_text_is_cut));
