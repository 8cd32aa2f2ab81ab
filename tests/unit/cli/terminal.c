/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/terminal.h"

static void set(const char *name, const char *value)
{
	if (value)
		setenv(name, value, 1);
	else
		unsetenv(name);
}

static bool automatic(const char *term, const char *no_color)
{
	set("TERM", term);
	set("NO_COLOR", no_color);
	return csg_terminal_colours(CSG_COLOURS_AUTO, true);
}

static void a_terminal_has_colours_unless_it_says_otherwise(void)
{
	CU_ASSERT(automatic("xterm", NULL) && automatic("xterm", ""));
	CU_ASSERT_FALSE(automatic("xterm", "1"));
	CU_ASSERT_FALSE(automatic("dumb", NULL) || automatic(NULL, NULL));
	set("TERM", "xterm");
	CU_ASSERT_FALSE(csg_terminal_colours(CSG_COLOURS_AUTO, false));
}

static void who_asks_for_colours_has_them(void)
{
	set("NO_COLOR", "1");
	CU_ASSERT(csg_terminal_colours(CSG_COLOURS_ALWAYS, false));
	CU_ASSERT_FALSE(csg_terminal_colours(CSG_COLOURS_NEVER, true));
	set("NO_COLOR", NULL);
}

static void columns_are_those_of_the_terminal(void)
{
	const struct winsize size = {.ws_row = 24, .ws_col = 77};
	int pipe_ends[2], main_end = posix_openpt(O_RDWR | O_NOCTTY);

	set("COLUMNS", NULL);
	CU_ASSERT_EQUAL_FATAL(pipe(pipe_ends), 0);
	CU_ASSERT_EQUAL(csg_terminal_columns(pipe_ends[1]), 0);
	set("COLUMNS", "99");
	CU_ASSERT_EQUAL(csg_terminal_columns(pipe_ends[1]), 0);
	set("COLUMNS", NULL);
	close(pipe_ends[0]);
	close(pipe_ends[1]);
	if (main_end < 0)
		return;
	CU_ASSERT_EQUAL(ioctl(main_end, TIOCSWINSZ, &size), 0);
	CU_ASSERT_EQUAL(csg_terminal_columns(main_end), 77);
	set("COLUMNS", "99");
	CU_ASSERT_EQUAL(csg_terminal_columns(main_end), 99);
	set("COLUMNS", "-1");
	CU_ASSERT_EQUAL(csg_terminal_columns(main_end), 77);
	set("COLUMNS", NULL);
	close(main_end);
}

CSG_SUITE(cli, terminal, CSG_TEST(a_terminal_has_colours_unless_it_says_otherwise),
	  CSG_TEST(who_asks_for_colours_has_them), CSG_TEST(columns_are_those_of_the_terminal));
