/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <string.h>

#include "cli/progress.h"

static char text[256];

static const char *bar(int width, uint64_t done, uint64_t total, uint64_t ns)
{
	csg_progress_text(text, sizeof(text), width, "decoding", done, total, ns);
	return text;
}

static void the_bar_says_share_rate_and_remaining_time(void)
{
	CU_ASSERT_STRING_EQUAL(bar(0x7f, 250000000, 1000000000, 10000000000ull),
			       "decoding [##########                              ]  25% 250 MB of "
			       "1.0 GB, 25 MB/s, 30 s left");
	CU_ASSERT_PTR_NOT_NULL(strstr(bar(127, 1000, 7201000, 1000000000), "2:00 h left"));
	CU_ASSERT_PTR_NOT_NULL(strstr(bar(127, 1000, 91000, 1000000000), "1:30 min left"));
}

static void a_narrow_terminal_gets_no_more_than_its_width(void)
{
	for (int width = 0; width < 130; width++)
		CU_ASSERT((int)strlen(bar(width, 1, 3, 1)) <= width);
	CU_ASSERT_PTR_NULL(strchr(bar(48, 1, 3, 1), '['));
}

static void odd_values_do_no_harm(void)
{
	CU_ASSERT_PTR_NOT_NULL(strstr(bar(100, 0, 0, 0), "  0% 0 B of 0 B, 0 B/s, ? left"));
	CU_ASSERT_PTR_NOT_NULL(strstr(bar(100, 7, 5, 1000000000), "100% 5 B of 5 B"));
	CU_ASSERT_PTR_NOT_NULL(strstr(bar(100, 1, UINT64_MAX, UINT64_MAX), " h left"));
}

CSG_SUITE(cli, progress, CSG_TEST(the_bar_says_share_rate_and_remaining_time),
	  CSG_TEST(a_narrow_terminal_gets_no_more_than_its_width), CSG_TEST(odd_values_do_no_harm));
