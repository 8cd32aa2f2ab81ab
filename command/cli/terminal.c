/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

const char *const csg_colours_words[] = {"auto", "always", "never", NULL};

/* https://no-color.org: an empty variable is as none. */
static bool refuses_colours(void)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	return (no_color && *no_color) || !term || !strcmp(term, "dumb");
}

bool csg_terminal_colours(enum csg_colours when, bool terminal)
{
	if (when == CSG_COLOURS_AUTO)
		return terminal && !refuses_colours();
	return when == CSG_COLOURS_ALWAYS;
}

size_t csg_terminal_columns(int fd)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;

	if (!isatty(fd))
		return 0;
	if (columns && atoi(columns) > 0)
		return (size_t)atoi(columns);
	return !ioctl(fd, TIOCGWINSZ, &size) ? size.ws_col : 0;
}
